// Which partition Kafka's default partitioner gives a key: toPositive(murmur2(key bytes)) % n. Co-partitioning is verified with it.

/** Kafka's murmur2 over `data[start, end)`, as a signed 32-bit number. */
export function murmur2(data: Uint8Array, start: number = 0, end: number = data.length): number {
  const length = end - start;
  let h = 0x9747b28c ^ length;
  const whole = start + (length & ~3);
  for (let p = start; p < whole; p += 4) {
    let k = data[p] | (data[p + 1] << 8) | (data[p + 2] << 16) | (data[p + 3] << 24);
    k = Math.imul(k, M);
    k ^= k >>> 24;
    h = Math.imul(h, M) ^ Math.imul(k, M);
  }
  const rest = length & 3;
  if (rest === 3) h ^= data[whole + 2] << 16;
  if (rest >= 2) h ^= data[whole + 1] << 8;
  if (rest >= 1) h = Math.imul(h ^ data[whole], M);
  h ^= h >>> 13;
  h = Math.imul(h, M);
  return h ^ (h >>> 15);
}

const M = 0x5bd1e995;

/** The partition of a key among `partitions`. */
export function partitionOfKey(data: Uint8Array, start: number, end: number, partitions: number): number {
  return (murmur2(data, start, end) & 0x7fffffff) % partitions;
}
