// What a log knows besides its records: topics, how far each partition reaches, positions of groups, which segments belong to it. It is the
// fold of the batches; a snapshot of it is the first batch of each segment, so that a segment is enough to know everything of the ones
// before, and those can go.
import { LogError } from '../embedded-error.ts';
import { isOffset } from '../append-check.ts';
import type { TopicPartition, TopicSettings } from '../log.ts';
import { forEachPosition, newSection, readJson, readSection, sectionsAt, SECTION_BYTES } from './batch-format.ts';
import type { BatchHead, LogId } from './batch-format.ts';
import { unreachable } from '../../../schemas/unreachable.ts';

export interface PartitionState extends TopicPartition {
  /** Its number in the files: partitions of all topics are counted through, in the order of creation. */
  readonly id: number;
  /** What is below is gone. */
  beginOffset: number;
  /** What readers may see ends here. */
  endOffset: number;
  /** Offset of the next record written; above `endOffset` while a write is not acknowledged. */
  nextOffset: number;
}

export interface TopicState { readonly name: string; readonly number: number; readonly settings: TopicSettings; readonly partitions: readonly PartitionState[] }

/** Numbers of segments, first and last. */
export type SegmentRange = readonly [from: number, to: number];

export interface LogState {
  readonly log: LogId;
  readonly topics: Map<string, TopicState>;
  readonly partitions: PartitionState[];
  /** By group, then by number of the partition. */
  positions: Map<string, Map<number, number>>;
  /** Segments that belong to the log; other files are left over from a removal. */
  live: readonly SegmentRange[];
}

/** JSON of the batches that are not appends. */
export interface TopicContent { readonly name: string; readonly settings: TopicSettings }
export interface TrimContent { readonly begin: readonly (readonly [id: number, offset: number])[]; readonly live?: readonly SegmentRange[] }
interface SnapshotContent {
  readonly topics: readonly TopicContent[];
  /** Begin and end of each partition, by its number. */
  readonly offsets: readonly (readonly [begin: number, end: number])[];
  readonly positions: readonly (readonly [group: string, positions: readonly (readonly [id: number, offset: number])[]])[];
  readonly live: readonly SegmentRange[];
}

export function newLogState(log: LogId): LogState {
  return { log, topics: new Map(), partitions: [], positions: new Map(), live: [] };
}

export function addTopic(state: LogState, { name, settings }: TopicContent): void {
  const partitions: PartitionState[] = [];
  for (let partition = 0; partition < settings.partitions; partition++) {
    const added = { topic: name, partition, id: state.partitions.length, beginOffset: 0, endOffset: 0, nextOffset: 0 };
    partitions.push(added);
    state.partitions.push(added);
  }
  state.topics.set(name, { name, number: state.topics.size, settings, partitions });
}

export function commitPosition(state: LogState, group: string, id: number, offset: number): void {
  let ofGroup = state.positions.get(group);
  if (ofGroup === undefined) state.positions.set(group, ofGroup = new Map());
  ofGroup.set(id, offset);
}

export function applyTrim(state: LogState, { begin, live }: TrimContent): void {
  for (const [id, offset] of begin) state.partitions[id].beginOffset = offset;
  if (live !== undefined) state.live = live;
}

/** The state as of the next segment, `live` included. */
export function snapshotOf(state: LogState, live: readonly SegmentRange[]): SnapshotContent {
  return {
    topics: [...state.topics.values()].map(({ name, settings }) => ({ name, settings })),
    offsets: state.partitions.map(({ beginOffset, nextOffset }) => [beginOffset, nextOffset] as const),
    positions: [...state.positions].map(([group, ofGroup]) => [group, [...ofGroup]] as const),
    live,
  };
}

/** Takes one batch into the state. Partitions stay the objects they are: readers hold them. */
export function foldBatch(state: LogState, data: Buffer, at: number, head: BatchHead): void {
  switch (head.kind) {
    case 'append': return foldAppend(state, data, at, head);
    case 'topic': return addTopic(state, readJson(data, at, head) as TopicContent);
    case 'trim': return applyTrim(state, readJson(data, at, head) as TrimContent);
    case 'snapshot': return applySnapshot(state, readJson(data, at, head) as SnapshotContent);
    case 'closed': return;
    default: unreachable(head.kind);
  }
}

function foldAppend(state: LogState, data: Buffer, at: number, head: BatchHead): void {
  forEachPosition(data, at, (group, id, offset) => { commitPosition(state, group, id, offset); });
  let place = sectionsAt(data, at);
  for (let n = 0; n < head.sections; n++, place += SECTION_BYTES) {
    readSection(section, data, place);
    const partition = state.partitions[section.partition];
    partition.endOffset = partition.nextOffset = section.endOffset;
  }
}

const section = newSection();

function applySnapshot(state: LogState, { topics, offsets, positions, live }: SnapshotContent): void {
  for (const topic of topics.slice(state.topics.size)) addTopic(state, topic);
  for (const [id, [begin, end]] of offsets.entries()) {
    const partition = state.partitions[id];
    partition.beginOffset = begin;
    partition.endOffset = partition.nextOffset = end;
  }
  state.positions = new Map(positions.map(([group, ofGroup]) => [group, new Map(ofGroup)]));
  state.live = live;
}

export function topicOf(state: LogState, name: string): TopicState {
  const topic = state.topics.get(name);
  if (topic === undefined) throw new LogError('unknown-topic', `the log has no topic "${name}"; create it first`);
  return topic;
}

export function partitionOf(state: LogState, at: TopicPartition): PartitionState {
  const { partitions } = topicOf(state, at.topic);
  const found = partitions[at.partition];
  if (found !== undefined) return found;
  throw new LogError('unknown-partition', `topic "${at.topic}" has partitions 0 to ${partitions.length - 1}, not ${at.partition}`);
}

/** Throws where no reader can begin at `offset`. */
export function checkStart({ topic, partition, beginOffset, endOffset }: PartitionState, offset: number): void {
  if (isOffset(offset) && offset >= beginOffset && offset <= endOffset) return;
  throw new LogError('out-of-range', `${topic}-${partition} has offsets ${beginOffset} to ${endOffset}, not ${offset}`
    + (offset < beginOffset ? '; what was there is beyond its retention: begin at the beginning offset, or restore the log from a copy' : ''));
}

export function inRanges(ranges: readonly SegmentRange[], number: number): boolean {
  return ranges.some(([from, to]) => number >= from && number <= to);
}

/** Ascending numbers as ranges. */
export function rangesOf(numbers: readonly number[]): SegmentRange[] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
