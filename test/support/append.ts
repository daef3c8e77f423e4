// Appends for tests that do not care by whom: one writer for each log.
import type { AppendBatch, Log, LogWriter } from '../../topology/log/log.ts';

const writers = new WeakMap<Log, Promise<LogWriter>>();

/** `id`: of that writer, where the log is shared. */
export async function appendTo(log: Log, batch: AppendBatch, id = 'test'): Promise<void> {
  const writer = writers.get(log) ?? log.writer(id);
  writers.set(log, writer);
  await (await writer).append(batch);
}
