// Which opening of each id of a writer is the last: for a log that one process writes.
import { WriterFenced } from '../runtime/writer-fenced.ts';

export interface Epochs {
  /** Opens the id; throws `WriterFenced` from then on for whoever opened it before. */
  open(id: string): () => void;
}

export function createEpochs(): Epochs {
  const epochs = new Map<string, number>();
  return {
    open(id) {
      const own = (epochs.get(id) ?? 0) + 1;
      epochs.set(id, own);
      return () => {
        if (epochs.get(id) !== own) throw new WriterFenced(id);
      };
    },
  };
}
