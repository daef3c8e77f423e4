// The blocks in memory, shared by all readers of a capture. Partitions that lie line by line in one file are read in step, so most loads
// are of a block that another reader has just left.
//
// Invariant: memory is the blocks that readers stand in, plus `captureCacheBytes` of others, plus two kept for reuse.
import { assert } from '../../schemas/assert.ts';
import { loadBlock, newBlock } from './capture-block.ts';
import type { Block } from './capture-block.ts';
import type { Survey } from './capture-survey.ts';

export interface BlockCache {
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
  return { blocks: new Map(), spare: [], cacheBytes, blockBytes, idleBytes: 0, loads: 0 };
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
const SPARE_BLOCKS = 2;

export function release(cache: BlockCache, block: Block): void {
  assert(block.pins > 0, 'a block is released more often than acquired');
  if (--block.pins > 0) return;
  cache.idleBytes += block.data.length;
  // The one left last is the last to go.
  cache.blocks.delete(block.key);
  cache.blocks.set(block.key, block);
  for (const candidate of cache.blocks.values()) {
    if (cache.idleBytes <= cache.cacheBytes) return;
    if (candidate.pins > 0) continue;
    cache.blocks.delete(candidate.key);
    cache.idleBytes -= candidate.data.length;
    // A block that grew for one long line is not kept.
    if (cache.spare.length < SPARE_BLOCKS && candidate.data.length <= 2 * cache.blockBytes) cache.spare.push(candidate);
  }
}
