// The log of a configuration: a directory or a Kafka cluster, for the one who writes it and for those who only read. What writes it, and
// the Kafka client, are loaded where they are needed.
import { logMaintenanceMs } from '../../schemas/limits.ts';
import type { LogSettings } from '../config.ts';
import { hasLog, openLogView } from '../log/durable/log-view.ts';
import type { Log, LogQuery, LogReader } from '../log/log.ts';
import { startMaintaining } from '../runtime/maintaining.ts';
import type { Clock } from '../runtime/pacer.ts';

export interface LogToRead extends LogQuery, LogReader { close(): Promise<void> }

/** For the one process that writes it. `signal`: aborted, that process is to stop. */
export async function openLogToWrite(log: LogSettings, { clock, say, signal }: { clock: Clock; say: (line: string) => void; signal: AbortSignal }): Promise<Log> {
  if (log.kind === 'kafka') {
    const { openKafkaLog } = await import('../log/kafka/kafka-log.ts');
    return openKafkaLog({ ...log, say, stop: signal });
  }
  const { openDurableLog } = await import('../log/durable/durable-log.ts');
  const durable = await openDurableLog(log, { nowMs: Date.now, notice: say });
  const stopMaintaining = startMaintaining({ maintain: () => durable.maintain(Date.now()), everyMs: logMaintenanceMs, clock, say });
  return {
    ...durable,
    async close() {
      await stopMaintaining();
      await durable.close();
    },
  };
}

/** For one command that writes and ends. */
export async function openLogToReset(log: LogSettings, say: (line: string) => void): Promise<Log> {
  if (log.kind === 'kafka') {
    const { openKafkaLog } = await import('../log/kafka/kafka-log.ts');
    return openKafkaLog({ ...log, say });
  }
  const { openDurableLog } = await import('../log/durable/durable-log.ts');
  return openDurableLog(log, { nowMs: Date.now, notice: say });
}

/** Takes no lock, and writes nothing. */
export async function openLogToRead(log: LogSettings): Promise<LogToRead> {
  if (log.kind === 'embedded') return openLogView(log.directory);
  const { openKafkaLog } = await import('../log/kafka/kafka-log.ts');
  return openKafkaLog(log);
}

/** A directory may not be a log yet; a cluster is one, or does not answer. */
export function hasLogToRead(log: LogSettings): boolean {
  return log.kind === 'kafka' || hasLog(log.directory);
}
