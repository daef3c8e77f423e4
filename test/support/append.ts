// Appends for tests: by whoever it is, and a log that does something else with those of others.
import type { AppendBatch, Log, LogWriter } from '../../topology/log/log.ts';

// One writer for each log.
const writers = new WeakMap<Log, Promise<LogWriter>>();

/** `id`: of that writer, where the log is shared. */
export async function appendTo(log: Log, batch: AppendBatch, id = 'test'): Promise<void> {
  const writer = writers.get(log) ?? log.writer(id);
  writers.set(log, writer);
  await (await writer).append(batch);
}

/** The log, but for what becomes of an append. `id`: of the writer that it is for. */
export function withAppends(log: Log, append: (writer: LogWriter, batch: AppendBatch, id: string) => Promise<void>): Log {
  return {
    ...log,
    async writer(id) {
      const writer = await log.writer(id);
      return { ...writer, append: batch => append(writer, batch, id) };
    },
  };
}
