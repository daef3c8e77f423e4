// Progress on standard error: a bar on a terminal, a line every 10 s elsewhere, nothing for a run that is over before anyone wonders.
import type * as Bars from 'cli-progress';

import { formatTime } from '../../schemas/time.ts';
import type { Progress } from '../check-types.ts';
import type { CliIo } from './io.ts';
import { grouped, shortTime } from './text.ts';

const BAR_AFTER_MS = 400;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

export interface ProgressReport {
  update(progress: Progress): void;
  /** Takes the bar away. */
  stop(): void;
}

/** `now` is milliseconds of a monotonic clock. */
export async function createProgress(io: CliIo, now: () => number = () => performance.now()): Promise<ProgressReport> {
  return io.stderr.isTTY === true ? barProgress(await import('cli-progress'), io, now) : lineProgress(io, now);
}

function lineProgress(io: CliIo, now: () => number): ProgressReport {
  const start = now();
  let last = start;
  return {
    update(progress) {
      const at = now();
      if (at - last < LINE_EVERY_MS) return;
      last = at;
      const { records, speed, watermark, left } = described(progress, at - start);
      io.stderr.write(`progress: ${records} records, ${speed}, watermark ${watermark}, ${left} left\n`);
    },
    stop() { /* nothing was opened */ },
  };
}

function barProgress({ Presets, SingleBar }: typeof Bars, io: CliIo, now: () => number): ProgressReport {
  const start = now();
  let last = 0;
  let bar: Bars.SingleBar | undefined;
  const open = (progress: Progress): Bars.SingleBar => {
    const made = new SingleBar({
      stream: io.stderr as NodeJS.WriteStream,
      format: progress.totalRecords === undefined
        ? '{records} records | {speed} | watermark {watermark}'
        : '{bar} {percentage}% | {records} records | {speed} | watermark {watermark} | {left} left',
      clearOnComplete: true, hideCursor: true, gracefulExit: false,
    }, Presets.shades_classic);
    made.start(progress.totalRecords ?? 0, 0, { records: '0', speed: '-', watermark: '-', left: '-' });
    return made;
  };
  return {
    update(progress) {
      const at = now();
      if (at - start < BAR_AFTER_MS || at - last < BAR_EVERY_MS) return;
      last = at;
      bar ??= open(progress);
      bar.update(progress.records, described(progress, at - start));
      bar.render(); // the engine keeps the event loop busy: the bar's own timer comes too late
    },
    stop: () => bar?.stop(),
  };
}

function described(progress: Progress, elapsedMs: number): { records: string; speed: string; watermark: string; left: string } {
  const done = progress.totalRecords === undefined || progress.records === 0 ? undefined : progress.records / progress.totalRecords;
  const total = progress.totalRecords === undefined ? '' : `/${grouped(String(progress.totalRecords))}`;
  return {
    records: grouped(String(progress.records)) + total,
    speed: progress.bytes === undefined ? `${grouped(String(Math.round((progress.records * 1e3) / Math.max(1, elapsedMs))))} records/s` : `${(progress.bytes / 1e3 / Math.max(1, elapsedMs)).toFixed(1)} MB/s`,
    watermark: Number.isNaN(progress.watermarkUs) ? '-' : shortTime(formatTime(progress.watermarkUs)),
    left: done === undefined ? '?' : `${Math.ceil((elapsedMs / done - elapsedMs) / 1000)} s`,
  };
}
