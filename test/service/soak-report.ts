// What a soak has weighed, for a reader: a row a sample, a line of bars per measure, and a verdict by slopes.

/** One look at the process. Sizes in MB (2^20 bytes). */
export interface Sample {
  readonly minutes: number;
  readonly events: number;
  readonly verdicts: number;
  readonly rss: number;
  /** Objects of V8, live and dead; and the memory that they are in, with what is free in it. */
  readonly used: number;
  readonly heap: number;
  /** Buffers. */
  readonly external: number;
  /** The rest of the RSS: RocksDB, code, stacks, what the allocator keeps. */
  readonly native: number;
  /** The task's stores on the disk, and the log. */
  readonly state: number;
  readonly log: number;
  /** Of one core, since the last sample. */
  readonly cpuPercent: number;
  readonly loopP99Ms: number;
}

export const MEASURES = ['rss', 'heap', 'external', 'native'] as const;
export type Measure = (typeof MEASURES)[number];

const COLUMNS: readonly (readonly [head: string, text: (sample: Sample) => string])[] = [
  ['MINUTES', ({ minutes }) => minutes.toFixed(1)], ['EVENTS', ({ events }) => String(events)], ['VERDICTS', ({ verdicts }) => String(verdicts)],
  ['RSS MB', ({ rss }) => rss.toFixed(1)], ['USED', ({ used }) => used.toFixed(1)], ['HEAP', ({ heap }) => heap.toFixed(1)], ['EXTERNAL', ({ external }) => external.toFixed(1)], ['NATIVE', ({ native }) => native.toFixed(1)],
  ['STATE ON DISK', ({ state }) => state.toFixed(1)], ['LOG', ({ log }) => log.toFixed(1)], ['CPU %', ({ cpuPercent }) => cpuPercent.toFixed(0)], ['LOOP P99 MS', ({ loopP99Ms }) => loopP99Ms.toFixed(0)],
];

export const HEAD: string = COLUMNS.map(([head]) => head.padStart(widthOf(head))).join(' ');

export function row(sample: Sample): string {
  return COLUMNS.map(([head, text]) => text(sample).padStart(widthOf(head))).join(' ');
}

/** Below it what goes on for a day is not told from noise in half an hour: 6 MB. */
export const FLAT_MB_PER_MINUTE = 0.3;

export interface Slope { readonly measure: Measure; readonly mbPerMinute: number }

const STRETCHES = 6;

/**
 * Of the last two thirds: before, caches and write buffers fill. From the least of each of six stretches: what is above it is garbage that waits to
 * be collected, or a cache that fills and is emptied.
 */
export function slopes(samples: readonly Sample[]): Slope[] {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const stretches = inStretches(settled, Math.ceil(settled.length / STRETCHES));
  const floorOf = (stretch: readonly Sample[], measure: Measure): Sample => stretch.reduce((least, sample) => (sample[measure] < least[measure] ? sample : least));
  return MEASURES.map(measure => ({ measure, mbPerMinute: theilSen(stretches.map(stretch => floorOf(stretch, measure)).map(sample => [sample.minutes, sample[measure]])) }));
}

/** The median of the slopes between any two points: no single one of them moves it much. */
function theilSen(points: readonly (readonly [x: number, y: number])[]): number {
  const all = points.flatMap(([x, y], i) => points.slice(i + 1).filter(([x2]) => x2 !== x).map(([x2, y2]) => (y2 - y) / (x2 - x)));
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}

const BARS = '▁▂▃▄▅▆▇█';
const BARS_SHOWN = 60;

/** Medians of stretches of equal length, drawn from the least to the greatest. */
export function sparkline(values: readonly number[]): string {
  const medians = inStretches(values, Math.ceil(values.length / BARS_SHOWN)).map(medianOf);
  const [least, greatest] = [Math.min(...medians), Math.max(...medians)];
  return medians.map(value => BARS[greatest === least ? 0 : Math.min(BARS.length - 1, Math.floor(((value - least) / (greatest - least)) * BARS.length))]).join('');
}

/** The lines at the end. `bound`: MB a minute. RSS and external decide; the others say where it went. */
export function verdict(samples: readonly Sample[], bound: number = FLAT_MB_PER_MINUTE): { readonly lines: readonly string[]; readonly flat: boolean } {
  const found = slopes(samples);
  const flat = found.every(({ measure, mbPerMinute }) => (measure !== 'rss' && measure !== 'external') || mbPerMinute <= bound);
  const lines = found.map(({ measure, mbPerMinute }) => {
    const values = samples.map(sample => sample[measure]);
    return `${measure.padEnd(9)}${sparkline(values)}  ${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)} MB, ${signed(mbPerMinute)} MB/min`;
  });
  const of = (measure: Measure): string => signed(found.find(slope => slope.measure === measure)?.mbPerMinute ?? NaN);
  lines.push(`${flat ? 'flat' : 'it grows'}: over the last two thirds RSS ${of('rss')} MB/min, external ${of('external')} MB/min, bound ${bound} MB/min`);
  return { lines, flat };
}

function inStretches<T>(all: readonly T[], length: number): T[][] {
  return Array.from({ length: length === 0 ? 0 : Math.ceil(all.length / length) }, (_, i) => all.slice(i * length, (i + 1) * length));
}

function widthOf(head: string): number {
  return Math.max(head.length, 8);
}

function signed(number: number): string {
  return (number < 0 ? '' : '+') + number.toFixed(2);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
