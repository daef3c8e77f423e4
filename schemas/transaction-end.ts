// What the end of a transaction says of it, on a topic of its own: how many changes it had. Whoever counts rows holds it against them.

/** One long-lived object per decoder, overwritten by each END. */
export interface TransactionEnd {
  /**
   * As the END carries it. PostgreSQL: `txid:lsn`, where rows of the transaction have the same txid and an lsn of their own; MySQL and
   * MariaDB: the GTID, the same on its rows.
   */
  id: string;
  /** Commit time, microseconds; whole milliseconds (MariaDB: whole seconds), cut. NaN where the record has none. */
  commitTimeUs: number;
  /** Changes of all captured tables; NaN where the record does not say. 0 is legal: nothing captured was changed. */
  eventCount: number;
  /** Per table, named as the connector does (`public.orders`, `shop.orders`). Empty where the record does not say. */
  readonly collections: CollectionCount[];
}

/** Bytes of a transaction's id that its rows and its END share: of PostgreSQL's `txid:lsn` the first, of a GTID all. */
export function groupLength(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isDigit(bytes[at])) at++;
  if (at === start || bytes[at] !== 58 || at + 1 === end) return end - start;
  for (let i = at + 1; i < end; i++) if (!isDigit(bytes[i])) return end - start;
  return at - start;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/**
 * The count of the table whose rows the topic holds. A connector names it `schema.table` or `db.table`, and its topic the same behind a prefix,
 * with `_` for what no topic's name may have. Undefined where no name fits: nothing is counted, and nothing told.
 */
export function countOfTable(end: TransactionEnd, topic: string): CollectionCount | undefined {
  return end.collections.find(({ name }) => {
    const tail = name.replace(/[^A-Za-z0-9._-]/g, '_');
    return topic === tail || topic.endsWith(`.${tail}`);
  });
}

export interface CollectionCount { name: string; eventCount: number }
