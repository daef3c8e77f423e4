// The state of a merge task at a commit: what the merge keeps in its store, and the place of the composition. The words that still count are not
// part of it; they are read again.
import type { ComposedPlace } from '../../processors/compose.ts';
import type { PairSettings } from '../../schemas/pair.ts';
import type { StoreEngine, WriteOp } from '../../stores/store.ts';
import type { WriteOverlay } from '../../stores/write-overlay.ts';
import { decisiveSettings } from '../config-hash.ts';
import type { InputPosition } from './commit.ts';
import { readPlace, writePlace, type PlaceRecord } from './place-record.ts';
import { requireSame } from './same-chain.ts';

interface MergePlaceRecord extends PlaceRecord { readonly place: ComposedPlace }

export interface MergeState {
  /** Where the task stood when the state was written, and what it had read; undefined: there is none, the task begins. */
  readonly restored: { readonly place: ComposedPlace; readonly positions: readonly InputPosition[] } | undefined;
  /** Takes what changed since the last call. */
  seal(place: ComposedPlace, positions: readonly InputPosition[]): WriteOp[];
}

export interface MergeStateParts {
  readonly engine: StoreEngine;
  readonly overlay: WriteOverlay;
  readonly pair: PairSettings;
  readonly topicIds: Readonly<Record<string, string>>;
}

/** Throws ParitasError `state`. */
export function openMergeState({ engine, overlay, pair, topicIds }: MergeStateParts): MergeState {
  const restored = readPlace<MergePlaceRecord>(engine, pair.name);
  const settings = decisiveSettings(pair);
  if (restored !== undefined) requireSame(pair.name, restored, { settings, topicIds });
  return {
    restored,
    seal(place, positions) {
      writePlace<MergePlaceRecord>(overlay, { place, positions, settings, topicIds });
      return overlay.drain();
    },
  };
}
