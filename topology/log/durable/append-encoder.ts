// One append as the bytes of one batch. Records are sorted by partition, in their order within each; everything is checked before the first
// byte, so that a batch is right as a whole or not made.
import { logBatchBytesMax } from '../../../schemas/limits.ts';
import { checkRecord, isOffset } from '../append-check.ts';
import { LogError } from '../embedded-error.ts';
import type { AppendBatch } from '../log.ts';
import { frameBytes, writeFrame } from '../record-frame.ts';
import { BATCH_HEAD_BYTES, newSection, POSITION_BYTES, sealBatch, SECTION_BYTES, writeSection } from './batch-format.ts';
import type { Section } from './batch-format.ts';
import { commitPosition, partitionOf, topicOf } from './log-state.ts';
import type { LogState, PartitionState } from './log-state.ts';

export interface EncodedAppend {
  /** The batch in its first bytes; written over by the next append. */
  readonly data: Buffer;
  readonly lengthBytes: number;
  readonly sections: readonly SectionDraft[];
}

interface SectionDraft { readonly partition: PartitionState; readonly section: Section; /** Where its next frame goes. */ at: number }

export type EncodeAppend = (batch: AppendBatch, sequence: number, nowMs: number) => EncodedAppend;

/** Bytes kept between appends; a larger one is given back. */
const KEPT_BYTES = 16 << 20;

export function createAppendEncoder(state: LogState): EncodeAppend {
  let scratch: Buffer = Buffer.alloc(0);
  return (batch, sequence, nowMs) => {
    const drafts = draftSections(state, batch);
    const group = batch.positions.length === 0 ? '' : batch.group;
    const groupBytes = Buffer.byteLength(group);
    if (groupBytes > 0xffff) throw new LogError('invalid-record', 'the name of the group is above 65535 bytes');
    const directoryEnd = BATCH_HEAD_BYTES + 2 + groupBytes + 4 + batch.positions.length * POSITION_BYTES + drafts.size * SECTION_BYTES;
    let lengthBytes = directoryEnd;
    for (const draft of drafts.values()) {
      draft.at = lengthBytes;
      lengthBytes += draft.section.sizeBytes;
    }
    if (lengthBytes > logBatchBytesMax) throw new LogError('invalid-record', `the append has ${lengthBytes} bytes, above ${logBatchBytesMax}; split it`);
    const data = scratch.length >= lengthBytes ? scratch : Buffer.allocUnsafeSlow(Math.max(4096, 2 ** Math.ceil(Math.log2(lengthBytes))));
    if (data.length <= KEPT_BYTES) scratch = data;
    writeBody(data, batch, group, drafts, state, nowMs);
    sealBatch(data, lengthBytes, directoryEnd, sequence, 'append', drafts.size, state.log);
    return { data, lengthBytes, sections: [...drafts.values()] };
  };
}

/** Checks everything, and adds up what each partition gets. */
function draftSections(state: LogState, batch: AppendBatch): Map<PartitionState, SectionDraft> {
  const drafts = new Map<PartitionState, SectionDraft>();
  for (const record of batch.records) {
    const partition = partitionOf(state, record);
    checkRecord(record, topicOf(state, record.topic).settings);
    let draft = drafts.get(partition);
    if (draft === undefined) {
      const { id, nextOffset } = partition;
      draft = { partition, section: { ...newSection(), partition: id, baseOffset: nextOffset, endOffset: nextOffset, maxTimestampMs: -Infinity }, at: 0 };
      drafts.set(partition, draft);
    }
    draft.section.records++;
    draft.section.endOffset++;
    draft.section.sizeBytes += frameBytes(record);
  }
  for (const position of batch.positions) {
    partitionOf(state, position);
    if (!isOffset(position.offset)) throw new LogError('invalid-record', `${position.offset} is no position of topic "${position.topic}"`);
  }
  return drafts;
}

function writeBody(data: Buffer, batch: AppendBatch, group: string, drafts: Map<PartitionState, SectionDraft>, state: LogState, nowMs: number): void {
  const given = new Map<PartitionState, number>();
  for (const record of batch.records) {
    const partition = partitionOf(state, record);
    const draft = drafts.get(partition);
    if (draft === undefined) continue;
    const delta = given.get(partition) ?? 0;
    const timestampMs = record.timestampMs ?? nowMs;
    draft.at = writeFrame(data, draft.at, delta, record, timestampMs);
    draft.section.maxTimestampMs = Math.max(draft.section.maxTimestampMs, timestampMs);
    given.set(partition, delta + 1);
  }
  let at = data.writeUInt16LE(Buffer.byteLength(group), BATCH_HEAD_BYTES);
  at = data.writeUInt32LE(batch.positions.length, at + data.write(group, at));
  for (const position of batch.positions) at = data.writeDoubleLE(position.offset, data.writeUInt32LE(partitionOf(state, position).id, at));
  for (const { section } of drafts.values()) {
    writeSection(section, data, at);
    at += SECTION_BYTES;
  }
}

/** What readers may see of an append, once it is acknowledged. */
export function publishAppend(state: LogState, batch: AppendBatch, sections: readonly SectionDraft[]): void {
  for (const { partition, section } of sections) partition.endOffset = section.endOffset;
  for (const position of batch.positions) commitPosition(state, batch.group, partitionOf(state, position).id, position.offset);
}
