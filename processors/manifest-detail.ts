// The detail of a window's manifest is bounded: somebody who emptied a table makes as many discrepancies as it had rows. Beyond the bound a
// record tells its class and key, and its ids; nothing is left out of counts, digests and hashes.
import type { Class, ManifestRecord } from '../schemas/records.ts';

export interface BoundedDetail { readonly records: readonly ManifestRecord[]; readonly cut: number }

/**
 * Every class that is there keeps its share of the bound, and what is left over goes in the order of the records. Counter-example to the
 * order alone: ten thousand rows missing, and not one column of the three mismatches that caused it.
 */
export function boundDetail(records: readonly ManifestRecord[], detailsMax: number): BoundedDetail {
  if (records.length <= detailsMax) return { records, cut: 0 };
  const share = Math.floor(detailsMax / new Set(records.map(record => record.class)).size);
  const kept = new Map<Class, number>();
  const inShare = records.map(record => {
    const count = (kept.get(record.class) ?? 0) + 1;
    kept.set(record.class, count);
    return count <= share;
  });
  let left = detailsMax - inShare.filter(Boolean).length;
  return { records: records.map((record, i) => (inShare[i] || left-- > 0 ? record : cutDetail(record))), cut: records.length - detailsMax };
}

function cutDetail({ record, manifestId, verdictId, pair, window, class: name, key }: ManifestRecord): ManifestRecord {
  return { record, manifestId, verdictId, pair, window, class: name, key };
}
