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

export interface CollectionCount { name: string; eventCount: number }
