// The blocks in memory, shared by all readers of a capture. Partitions that lie line by line in one file are read in step, so most loads
// are of a block that another reader has just left.
//
// A block that every reader of its file has passed is filled anew at once. Kept until others push it out, as it was, thirty-two blocks of each
// side went round that nobody could ask for: 15 to 20 MB of a check.
//
// Invariant: memory is the blocks that readers stand in, plus `captureCacheBytes` of others, plus eight kept for reuse.
import { assert } from '../../schemas/assert.ts';
import { loadBlock, newBlock } from './capture-block.ts';
import type { Block } from './capture-block.ts';
import type { Survey } from './capture-survey.ts';

/** Where a reader stands in a file: its block, -1 before the first, and the one that it enters next, Infinity where it enters none. */
export interface Standing { readonly survey: Survey; readonly number: number; readonly nextNumber: number }

export interface BlockCache {
  readonly standings: Standing[];
  readonly blocks: Map<number, Block>;
  readonly spare: Block[];
  readonly cacheBytes: number;
  readonly blockBytes: number;
  /** Bytes of the blocks that nobody stands in. */
  idleBytes: number;
  /** Blocks read so far, for tests and measurements. */
  loads: number;
}

export function newBlockCache(cacheBytes: number, blockBytes: number): BlockCache {
  return { standings: [], blocks: new Map(), spare: [], cacheBytes, blockBytes, idleBytes: 0, loads: 0 };
}

/** The block, pinned until `release`. */
export function acquire(cache: BlockCache, survey: Survey, number: number): Block {
  const key = survey.index * MAX_BLOCKS + number;
  const held = cache.blocks.get(key);
  if (held !== undefined) {
    if (held.pins++ === 0) cache.idleBytes -= held.data.length;
    return held;
  }
  const block = cache.spare.pop() ?? newBlock();
  loadBlock(block, survey, number);
  cache.loads++;
  block.key = key;
  block.pins = 1;
  cache.blocks.set(key, block);
  return block;
}

const MAX_BLOCKS = 2 ** 32;
/** As many as the partitions of a file are apart, in step. */
const SPARE_BLOCKS = 8;

export function release(cache: BlockCache, block: Block): void {
  assert(block.pins > 0, 'a block is released more often than acquired');
  if (--block.pins > 0) return;
  if (isPassed(cache, block)) {
    cache.blocks.delete(block.key);
    return keepSpare(cache, block);
  }
  cache.idleBytes += block.data.length;
  // The one left last is the last to go.
  cache.blocks.delete(block.key);
  cache.blocks.set(block.key, block);
  for (const candidate of cache.blocks.values()) {
    if (cache.idleBytes <= cache.cacheBytes) return;
    if (candidate.pins > 0) continue;
    cache.blocks.delete(candidate.key);
    cache.idleBytes -= candidate.data.length;
    keepSpare(cache, candidate);
  }
}

/** A block that grew for one long line is not kept. */
function keepSpare(cache: BlockCache, block: Block): void {
  if (cache.spare.length < SPARE_BLOCKS && block.data.length <= 2 * cache.blockBytes) cache.spare.push(block);
}

/** Whether no reader that has begun enters it any more. One that has not is no reason to keep it: of a topic that nobody asked for it never does. */
function isPassed({ standings }: BlockCache, { key }: Block): boolean {
  const index = Math.floor(key / MAX_BLOCKS);
  const block = key % MAX_BLOCKS;
  let begun = false;
  for (const { survey, number, nextNumber } of standings) {
    if (survey.index !== index || number < 0) continue;
    if (nextNumber <= block) return false;
    begun = true;
  }
  return begun;
}
