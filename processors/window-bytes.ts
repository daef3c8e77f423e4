// What shards say, as bytes: for the merge's store, and for the way from a reconcile task to its merge task. JSON, because it is written once
// per window, with a tag for each kind of value that JSON has not.
import type { Finding } from './finding.ts';
import type { Tally } from './tally.ts';
import { packPart, unpackPart, type PackedPart } from './torn.ts';
import type { ShardWindow } from './window.ts';

/** The field of a window that is long, for a shard that is not alone tells of every transaction. No other value has a field of that name. */
const TRANSACTIONS = 'transactions' satisfies keyof ShardWindow;

export function pack(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, (name, part: unknown) => {
    if (name === TRANSACTIONS) return (part as ShardWindow['transactions']).map(packPart);
    if (part instanceof Map) return { '#map': [...part] };
    if (part instanceof Set) return { '#set': [...part] };
    if (part instanceof BigUint64Array) return { '#sums': Array.from(part, String) };
    if (part instanceof Float64Array) return { '#tally': Array.from(part) };
    return isBufferJson(part) ? { '#bytes': Buffer.from(part.data).toString('base64') } : part;
  }));
}

export function unpack(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8'), (name, part: unknown) => {
    if (name === TRANSACTIONS) return (part as PackedPart[]).map(unpackPart);
    if (typeof part !== 'object' || part === null) return part;
    if ('#map' in part) return new Map(part['#map'] as [unknown, unknown][]);
    if ('#set' in part) return new Set(part['#set'] as unknown[]);
    if ('#sums' in part) return BigUint64Array.from((part['#sums'] as string[]).map(BigInt));
    if ('#tally' in part) return Float64Array.from(part['#tally'] as number[]) satisfies Tally;
    return '#bytes' in part ? Buffer.from(part['#bytes'] as string, 'base64') : part;
  });
}

/** JSON leaves out what is undefined; a finding has all its fields. */
export function wholeFinding(finding: Finding): Finding {
  return { ...finding, source: finding.source, target: finding.target, hint: finding.hint };
}

export function wholeWindow(result: ShardWindow): ShardWindow {
  return { ...result, findings: result.findings.map(wholeFinding), resolved: result.resolved.map(resolution => ({ ...resolution, finding: resolution.finding })) };
}

/** A Buffer has made itself into this before a replacer sees it. */
function isBufferJson(part: unknown): part is { data: number[] } {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part;
}
