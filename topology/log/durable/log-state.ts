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
  /** Also those that were removed: numbers of topics and partitions are used once. */
  readonly created: TopicState[];
  readonly partitions: PartitionState[];
  /** By group, then by number of the partition. */
  positions: Map<string, Map<number, number>>;
  /** Segments that belong to the log; other files are left over from a removal. */
  live: readonly SegmentRange[];
}

/** JSON of the batches that are not appends. */
export interface TopicContent { readonly name: string; readonly settings: TopicSettings }
/** A topic with all that is in it, or the positions of a group. */
export type RemovalContent = { readonly topic: string } | { readonly group: string };
export interface TrimContent { readonly begin: readonly (readonly [id: number, offset: number])[]; readonly live?: readonly SegmentRange[] }
interface SnapshotContent {
  /** In the order of creation. */
  readonly topics: readonly (TopicContent & { readonly removed?: true })[];
  /** Begin and end of each partition, by its number. */
  readonly offsets: readonly (readonly [begin: number, end: number])[];
  readonly positions: readonly (readonly [group: string, positions: readonly (readonly [id: number, offset: number])[]])[];
  readonly live: readonly SegmentRange[];
}

export function newLogState(log: LogId): LogState {
  return { log, topics: new Map(), created: [], partitions: [], positions: new Map(), live: [] };
}

export function addTopic(state: LogState, { name, settings }: TopicContent): void {
  const partitions: PartitionState[] = [];
  for (let partition = 0; partition < settings.partitions; partition++) {
    const added = { topic: name, partition, id: state.partitions.length, beginOffset: 0, endOffset: 0, nextOffset: 0 };
    partitions.push(added);
    state.partitions.push(added);
  }
  const topic = { name, number: state.created.length, settings, partitions };
  state.created.push(topic);
  state.topics.set(name, topic);
}

/** Partitions stay the objects they are, without records: readers may hold them. */
export function applyRemoval(state: LogState, content: RemovalContent): void {
  if ('group' in content) return void state.positions.delete(content.group);
  const topic = state.topics.get(content.topic);
  if (topic !== undefined) removeTopic(state, topic);
}

function removeTopic(state: LogState, { name, partitions }: TopicState): void {
  state.topics.delete(name);
  for (const partition of partitions) {
    partition.beginOffset = partition.nextOffset;
    for (const ofGroup of state.positions.values()) ofGroup.delete(partition.id);
  }
}

/** Takes over which topics there are from a later state of the same log. */
export function takeTopics(state: LogState, topics: SnapshotContent['topics']): void {
  for (const [number, { removed, ...content }] of topics.entries()) {
    if (state.created[number] === undefined) addTopic(state, content);
    const topic = state.created[number];
    if (removed === true && state.topics.get(topic.name) === topic) removeTopic(state, topic);
  }
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
    topics: topicsOf(state),
    offsets: state.partitions.map(({ beginOffset, nextOffset }) => [beginOffset, nextOffset] as const),
    positions: [...state.positions].map(([group, ofGroup]) => [group, [...ofGroup]] as const),
    live,
  };
}

export function topicsOf(state: LogState): SnapshotContent['topics'] {
  return state.created.map(topic => ({ name: topic.name, settings: topic.settings, ...(state.topics.get(topic.name) === topic ? {} : { removed: true }) }));
}

/** Takes one batch into the state. Partitions stay the objects they are: readers hold them. */
export function foldBatch(state: LogState, data: Buffer, at: number, head: BatchHead): void {
  switch (head.kind) {
    case 'append': return foldAppend(state, data, at, head);
    case 'topic': return addTopic(state, readJson(data, at, head) as TopicContent);
    case 'trim': return applyTrim(state, readJson(data, at, head) as TrimContent);
    case 'snapshot': return applySnapshot(state, readJson(data, at, head) as SnapshotContent);
    case 'removal': return applyRemoval(state, readJson(data, at, head) as RemovalContent);
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
  takeTopics(state, topics);
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

/** Throws where a topic that is there is not as it is wanted. */
export function checkSame(name: string, there: TopicSettings, wanted: TopicSettings): void {
  if (there.partitions !== wanted.partitions) throw new LogError('topic-differs', `topic "${name}" is there with ${there.partitions} partitions, not ${wanted.partitions}`);
  if (there.cleanup !== wanted.cleanup) throw new LogError('topic-differs', `topic "${name}" is there with cleanup ${there.cleanup}, not ${wanted.cleanup}`);
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
