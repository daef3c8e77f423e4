// What the merge of a long-running service keeps between windows, in a store of its own: the head of the chain, and each window that may yet be
// amended. JSON, because both are written once per window and there are few of them.
import type { PairSettings } from '../schemas/pair.ts';
import type { DecisionRecord, Status } from '../schemas/records.ts';
import { CHAIN_START } from './chain.ts';
import { decisionOf, type Decision } from './decision.ts';
import type { Finding } from './finding.ts';
import type { KeyValueStore } from './key-value.ts';
import type { Tally } from './tally.ts';
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
  readonly held: Map<number, Held>;
  keepHead(): void;
  keepWindow(window: number): void;
  dropWindow(window: number): void;
}

/** For a run that publishes at its end: nothing outlives it. */
export function createMergeMemory(): MergeMemory {
  const nothing = (): void => { /* kept nowhere */ };
  return { head: { previous: CHAIN_START, open: new Map(), noted: new Set() }, held: new Map(), keepHead: nothing, keepWindow: nothing, dropWindow: nothing };
}

export function openMergeMemory(store: KeyValueStore, pair: PairSettings): MergeMemory {
  const head = store.get(HEAD);
  const held = new Map<number, Held>();
  for (const [, value] of store.range(Buffer.from(WINDOW), Buffer.from(`${WINDOW}~`))) {
    const one = unpackHeld(pair, value);
    held.set(one.result.window, one);
  }
  const memory: MergeMemory = {
    head: head === undefined ? createMergeMemory().head : unpack(head) as ChainHead,
    held,
    keepHead: () => { store.put(HEAD, pack(memory.head)); },
    keepWindow: window => { store.put(windowKey(window), packHeld(held.get(window) as Held)); },
    dropWindow(window) {
      held.delete(window);
      store.delete(windowKey(window));
    },
  };
  return memory;
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
  return { result: { ...result, findings: result.findings.map(whole) }, decision: decisionOf(pair, decision), late: late.map(whole), open: new Map(), status, changed: false };
}

/** JSON leaves out what is undefined; a finding has all its fields. */
function whole(finding: Finding): Finding {
  return { ...finding, source: finding.source, target: finding.target, hint: finding.hint };
}

/** JSON, with a tag for each kind of value that JSON has not. */
function pack(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Map) return { '#map': [...part] };
    if (part instanceof Set) return { '#set': [...part] };
    if (part instanceof BigUint64Array) return { '#sums': Array.from(part, String) };
    if (part instanceof Float64Array) return { '#tally': Array.from(part) };
    return isBufferJson(part) ? { '#bytes': Buffer.from(part.data).toString('base64') } : part;
  }));
}

function unpack(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'), (_, part: unknown) => {
    if (typeof part !== 'object' || part === null) return part;
    if ('#map' in part) return new Map(part['#map'] as [unknown, unknown][]);
    if ('#set' in part) return new Set(part['#set'] as unknown[]);
    if ('#sums' in part) return BigUint64Array.from((part['#sums'] as string[]).map(BigInt));
    if ('#tally' in part) return Float64Array.from(part['#tally'] as number[]) satisfies Tally;
    return '#bytes' in part ? Buffer.from(part['#bytes'] as string, 'base64') : part;
  });
}

/** A Buffer has made itself into this before a replacer sees it. */
function isBufferJson(part: unknown): part is { data: number[] } {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part;
}
