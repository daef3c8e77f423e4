// What the merge of a long-running service keeps between windows, in a store of its own: the head of the chain, and each window that may yet be
// amended.
import type { PairSettings } from '../schemas/pair.ts';
import type { DecisionRecord, Status } from '../schemas/records.ts';
import { CHAIN_START } from './chain.ts';
import { decisionOf, type Decision } from './decision.ts';
import type { Finding } from './finding.ts';
import type { KeyValueStore } from './key-value.ts';
import { pack, unpack, wholeFinding, wholeWindow } from './window-bytes.ts';
import type { ShardWindow } from './window.ts';

export const MERGE_STORE = 'windows';

/** A window as the shards have told it so far. */
export interface Held {
  result: ShardWindow;
  readonly decision: Decision;
  readonly late: Finding[];
  /** Open divergences of the shards that spoke of this window. */
  readonly open: Map<number, number>;
  /** What was published of it last, and whether there is something new to say. */
  status: Status | undefined;
  changed: boolean;
}

export interface ChainHead {
  /** Hash of the last verdict published. */
  previous: string;
  /** Open divergences of each shard, as it last said: one that says nothing of a window has as many as before. */
  readonly open: Map<number, number>;
  /** Columns already told of in a schema record. */
  readonly noted: Set<string>;
}

export interface MergeMemory {
  readonly head: ChainHead;
  /** Windows of which something is to be said. */
  readonly held: Map<number, Held>;
  /** One of those, or one that was published and may be amended: it is held from then on. */
  find(window: number): Held | undefined;
  keepHead(): void;
  /** It was published and may be amended. It leaves the memory: changes that are never applied keep their windows for ever. */
  keepWindow(window: number): void;
  dropWindow(window: number): void;
}

/** For a run that publishes at its end: nothing outlives it. */
export function createMergeMemory(): MergeMemory {
  const nothing = (): void => { /* kept nowhere */ };
  const held = new Map<number, Held>();
  return {
    head: { previous: CHAIN_START, open: new Map(), noted: new Set() }, held, find: window => held.get(window), keepHead: nothing, keepWindow: nothing, dropWindow: nothing,
  };
}

export function openMergeMemory(store: KeyValueStore, pair: PairSettings): MergeMemory {
  const head = store.get(HEAD);
  const held = new Map<number, Held>();
  const memory: MergeMemory = {
    head: head === undefined ? createMergeMemory().head : unpack(head) as ChainHead,
    held,
    find(window) {
      const known = held.get(window) ?? load(window);
      if (known !== undefined) held.set(window, known);
      return known;
    },
    keepHead: () => { store.put(HEAD, pack(memory.head)); },
    keepWindow(window) {
      store.put(windowKey(window), packHeld(held.get(window) as Held));
      held.delete(window);
    },
    dropWindow(window) {
      held.delete(window);
      store.delete(windowKey(window));
    },
  };
  return memory;

  function load(window: number): Held | undefined {
    const value = store.get(windowKey(window));
    return value === undefined ? undefined : unpackHeld(pair, value);
  }
}

const HEAD = Buffer.from('head');
const WINDOW = 'window/';
const windowKey = (window: number): Buffer => Buffer.from(WINDOW + String(window));

/** What was published once is not said again: of a window that can only be amended, those parts are left out. */
function packHeld({ result, decision, late, status }: Held): Buffer {
  return pack({ result: { ...result, resolved: [], schema: [], amended: new Map() }, decision: decision.record, late, status });
}

function unpackHeld(pair: PairSettings, bytes: Buffer): Held {
  const { result, decision, late, status } = unpack(bytes) as { result: ShardWindow; decision: DecisionRecord; late: Finding[]; status: Status };
  return { result: wholeWindow(result), decision: decisionOf(pair, decision), late: late.map(wholeFinding), open: new Map(), status, changed: false };
}
