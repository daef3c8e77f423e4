// What outlives its slot because it is still owed: source changes reported missing (until they are applied, ruling 12), read rows not
// loaded yet (ruling 14), and target changes that named a source change nobody had seen (ruling 13). As many as there are discrepancies,
// so they are plain JSON in a small store, by (key, origin).
import type { Layout } from '../schemas/change-event.ts';
import type { PairContext } from '../schemas/decoder.ts';
import type { Image } from './comparator.ts';
import type { Trail } from './delete-trail.ts';
import type { FindingSide } from './finding.ts';
import type { KeyValueStore } from './key-value.ts';

export interface Ghost {
  /** missing: reported, still owed. read: a snapshot row without its load. applied: either, applied since. */
  kind: 'missing' | 'read' | 'applied';
  readonly window: number;
  readonly op: number;
  readonly timeUs: number;
  readonly side: FindingSide;
  /** Fingerprints, of the source image and of what was applied. */
  readonly print: number[];
  appliedPrint: number[];
  /** What was applied was found equal, though the fingerprints may differ: by columns that one side does not know. */
  equal: boolean;
  /** Applied by a change whose slot is linked to it: it counts with that pair, not by itself. */
  readonly paired: boolean;
  /** The source image, for the columns of a late application; null for a delete. */
  readonly image: { known: string[]; unavailable: string[]; placeholders: string[]; base64: string } | null;
}

export interface Ghosts {
  get(key: Buffer, origin: Buffer): Ghost | undefined;
  /** A delete is kept by its position: it may have no origin, or that of the row it removed. `sortKey`: of its finding side. */
  getDelete(key: Buffer, sortKey: string): Ghost | undefined;
  /** All of a key, by position. */
  of(key: Buffer): Ghost[];
  /** The same ghost, read again. */
  current(key: Buffer, origin: Buffer, ghost: Ghost): Ghost;
  put(key: Buffer, origin: Buffer, ghost: Ghost): void;
  /** How many deletes of the key the target had without a partner, among those whose slots are gone. */
  deletesAhead(key: Buffer): number;
  countDelete(key: Buffer): void;
  /** Policy `replay`: where the target's changes of the key that are gone have left off. */
  trail(key: Buffer): Trail | undefined;
  putTrail(key: Buffer, trail: Trail): void;
  stray(key: Buffer, origin: Buffer): FindingSide | undefined;
  /** The first target change to name it stays the one that is told. */
  putStray(key: Buffer, origin: Buffer, side: FindingSide): void;
}

const GHOST = 0x67;
const DELETE_GHOST = 0x68;
const STRAY = 0x73;
const AHEAD = 0x64;
const TRAIL = 0x65;
const NO_ORIGIN = Buffer.alloc(0);
/** Behind every origin and position. */
const BEHIND = Buffer.alloc(256, 0xff);

export function createGhosts(store: KeyValueStore): Ghosts {
  // Most shards have none at all: then no lookup reaches the store.
  let some = hasAny(store.range(Buffer.from([AHEAD]), Buffer.from([STRAY + 1])));
  const read = (at: Buffer): unknown => {
    const value = some ? store.get(at) : undefined;
    return value === undefined ? undefined : JSON.parse(value.toString('utf8'));
  };
  function write(at: Buffer, value: unknown): void {
    some = true;
    store.put(at, Buffer.from(JSON.stringify(value)));
  }
  return {
    get: (key, origin) => read(address(GHOST, key, origin)) as Ghost | undefined,
    getDelete: (key, sortKey) => read(address(DELETE_GHOST, key, Buffer.from(sortKey, 'hex'))) as Ghost | undefined,
    of(key) {
      if (!some) return [];
      const ofKind = (kind: number): Ghost[] => {
        const from = address(kind, key, NO_ORIGIN);
        return [...store.range(from, Buffer.concat([from, BEHIND]))].map(([, value]) => JSON.parse(value.toString('utf8')) as Ghost);
      };
      return [...ofKind(GHOST), ...ofKind(DELETE_GHOST)].sort((a, b) => (a.side.sortKey < b.side.sortKey ? -1 : 1));
    },
    current: (key, origin, ghost) => (read(addressOf(key, origin, ghost)) as Ghost | undefined) ?? ghost,
    put: (key, origin, ghost) => write(addressOf(key, origin, ghost), ghost),
    deletesAhead: key => (read(address(AHEAD, key, NO_ORIGIN)) as number | undefined) ?? 0,
    countDelete(key) {
      const at = address(AHEAD, key, NO_ORIGIN);
      write(at, ((read(at) as number | undefined) ?? 0) + 1);
    },
    trail: key => read(address(TRAIL, key, NO_ORIGIN)) as Trail | undefined,
    putTrail: (key, trail) => write(address(TRAIL, key, NO_ORIGIN), trail),
    stray: (key, origin) => read(address(STRAY, key, origin)) as FindingSide | undefined,
    putStray(key, origin, side) {
      if (read(address(STRAY, key, origin)) === undefined) write(address(STRAY, key, origin), side);
    },
  };
}

export function ghostImage(context: PairContext, ghost: Ghost): Image {
  if (ghost.image === null) return { layout: undefined, bytes: Buffer.alloc(0), start: 0, end: 0 };
  const bytes = Buffer.from(ghost.image.base64, 'base64');
  return { layout: context.layout(ghost.image.known, ghost.image.unavailable, ghost.image.placeholders), bytes, start: 0, end: bytes.length };
}

export function packImage(layout: Layout | undefined, image: Image): Ghost['image'] {
  if (layout === undefined) return null;
  return {
    known: [...layout.known], unavailable: [...layout.unavailable], placeholders: [...layout.placeholders],
    base64: image.bytes.toString('base64', image.start, image.end),
  };
}

function addressOf(key: Buffer, origin: Buffer, ghost: Ghost): Buffer {
  return ghost.image === null ? address(DELETE_GHOST, key, Buffer.from(ghost.side.sortKey, 'hex')) : address(GHOST, key, origin);
}

function address(prefix: number, key: Buffer, origin: Buffer): Buffer {
  const at = Buffer.alloc(3);
  at[0] = prefix;
  at.writeUInt16BE(key.length, 1);
  return Buffer.concat([at, key, origin]);
}

function hasAny(rows: Iterable<unknown>): boolean {
  for (const _ of rows) return true;
  return false;
}
