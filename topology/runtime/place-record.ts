// The one record of every task's state that says where it stands: what it has read, under which settings, and what its kind of task adds.
import { ParitasError } from '../../schemas/errors.ts';
import type { StoreEngine } from '../../stores/store.ts';
import type { WriteOverlay } from '../../stores/write-overlay.ts';
import type { InputPosition } from './commit.ts';
import { toBeginAnew, type ChainOrigin } from './same-chain.ts';

export const TASK_FAMILY = 'task';

/** `settings`: under what the state was made; another configuration would judge the rest of a window by other rules than its beginning. `topicIds`: of each input topic; offsets of a topic that was made anew mean nothing in it. */
export interface PlaceRecord extends ChainOrigin {
  readonly format: number;
  /** The next offset to read of each input partition. */
  readonly positions: readonly InputPosition[];
}

export const PLACE_FORMAT = 3;
const PLACE_KEY = Buffer.from('place');

export function writePlace<R extends PlaceRecord>(overlay: WriteOverlay, record: Omit<R, 'format'>): void {
  overlay.put(TASK_FAMILY, PLACE_KEY, Buffer.from(JSON.stringify({ format: PLACE_FORMAT, ...record })));
}

/** Undefined: no task has left its state there. Throws ParitasError `state`. */
export function readPlace<R extends PlaceRecord>(engine: StoreEngine, pair = 'NAME'): R | undefined {
  const bytes = engine.get(TASK_FAMILY, PLACE_KEY);
  if (bytes === undefined) return undefined;
  const record = JSON.parse(bytes.toString('utf8')) as R;
  if (record.format === PLACE_FORMAT) return record;
  throw new ParitasError('state', `the state of the task is of format ${record.format}, and this version reads format ${PLACE_FORMAT}: start the version that `
    + `wrote it, or ${toBeginAnew(pair)}`);
}

/** What a store says that its task has read of each input partition; none where it holds no task. */
export function inputPositionsOf(engine: StoreEngine): readonly InputPosition[] {
  return readPlace(engine)?.positions ?? [];
}
