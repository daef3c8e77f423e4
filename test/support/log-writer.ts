// A process that appends to a durable log until it is killed, and says each number once it is acknowledged.
import { openDurableLog } from '../../topology/log/durable/durable-log.ts';

const log = await openDurableLog({ directory: process.argv[2], fsync: 'never', segmentBytes: 4000 });
await log.createTopic('a', { partitions: 1, cleanup: 'delete' });
const at = { topic: 'a', partition: 0 };
const writer = await log.writer('w');
for (let n = await log.endOffset(at); ; n++) {
  await writer.append({ records: [{ ...at, key: null, value: Buffer.from(`${n}`) }], positions: [{ ...at, offset: n + 1 }], group: 'g' });
  process.stdout.write(`${n}\n`);
  if (n % 20 === 0) await new Promise((resolve) => { setImmediate(resolve); });
}
