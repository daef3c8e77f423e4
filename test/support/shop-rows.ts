// Rows of the simulated shop as Debezium's PostgreSQL connector prints them, 0.8 kB a record.

export type Op = 'c' | 'u' | 'd';
/** Below `bound`, from 0. */
export type Random = (bound: number) => number;

/** The columns of a row of the source. */
export interface ShopRow {
  alive: boolean;
  customer: number; status: number; cents: number; currency: number; quantity: number; sku: number; note: number; createdUs: number; updatedUs: number;
}

const STATUS = ['NEW', 'PAID', 'PICKED', 'PACKED', 'SHIPPED', 'DELIVERED', 'RETURNED'];
const CURRENCY = ['EUR', 'USD', 'GBP', 'CHF', 'SEK'];
const NOTE = ['leave at the door', 'call on arrival', 'gift wrap', 'fragile, do not stack', 'signature required', 'reception desk'];

export function change(row: ShopRow, op: Op, timeUs: number, random: Random): void {
  if (op === 'c') {
    Object.assign(row, {
      customer: 10_000 + random(80_000), status: 0, cents: 500 + random(250_000), currency: random(CURRENCY.length), quantity: 1 + random(9),
      sku: 100_000 + random(900_000), note: random(NOTE.length), createdUs: timeUs - 1500,
    });
  } else if (op === 'u') {
    row.status = (row.status + 1) % STATUS.length;
    if (random(3) === 0) row.cents += random(2000) - 800;
  }
  row.updatedUs = timeUs - 1000;
  row.alive = op !== 'd';
}

/** A row image without its closing brace. */
export function image(id: number, row: ShopRow): string {
  return `{"id":${id},"customer_id":${row.customer},"status":"${STATUS[row.status]}","total_cents":${row.cents},"currency":"${CURRENCY[row.currency]}","quantity":${row.quantity},"sku":"SKU-${row.sku}","note":"${NOTE[row.note]}","created_at":${row.createdUs},"updated_at":${row.updatedUs}`;
}

/** Debezium's PostgreSQL envelope, without schema. `origin`: what the log itself says of the change, where it does. */
export function envelope(
  server: string, op: Op, before: string | undefined, after: string | undefined, timeUs: number, commitLsn: number, lsn: number, transaction: number, origin?: string,
): string {
  const ms = Math.floor(timeUs / 1000);
  const readUs = timeUs + 3217;
  const rows = `{"before":${before === undefined ? 'null' : `${before}}`},"after":${after === undefined ? 'null' : `${after}}`}`;
  const source = `"source":{"version":"3.5.0.Final","connector":"postgresql","name":"${server}","ts_ms":${ms},"snapshot":"false","db":"shop","sequence":"[\\"${commitLsn}\\",\\"${lsn}\\"]","ts_us":${timeUs},"ts_ns":${timeUs}000,"schema":"public","table":"orders","txId":${transaction},"lsn":${lsn},"xmin":null${origin === undefined ? '' : `,"origin_lsn":${origin}`}}`;
  return `${rows},${source},"transaction":null,"op":"${op}","ts_ms":${Math.floor(readUs / 1000)},"ts_us":${readUs},"ts_ns":${readUs}345}`;
}
