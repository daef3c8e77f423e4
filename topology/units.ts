// Durations and sizes as users write them: `500ms`, `5s`, `64MiB`. Exact: a value that is no whole number of microseconds or bytes is refused.

const DURATION_US: Readonly<Record<string, number>> = {
  us: 1, ms: 1_000, s: 1_000_000, m: 60_000_000, h: 3_600_000_000, d: 86_400_000_000,
};
const SIZE_BYTES: Readonly<Record<string, number>> = {
  B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40,
};

/** What a duration looks like; the JSON Schema of the configuration carries it. */
export const DURATION_PATTERN: RegExp = /^\d+(\.\d+)?(us|ms|s|m|h|d)$/;
export const DURATION_EXAMPLES = '500ms, 5s, 2m, 1h';
export const SIZE_EXAMPLES = '512KiB, 64MiB, 1GB';

/** Microseconds, or undefined where the text is no duration (or not a whole number of microseconds below 2^53). */
export function parseDurationUs(text: string): number | undefined {
  return scaled(text, DURATION_PATTERN, DURATION_US);
}

/** Bytes, or undefined where the text is no size. */
export function parseSizeBytes(text: string): number | undefined {
  return scaled(text, /^\d+(\.\d+)?(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)$/, SIZE_BYTES);
}

/** The shortest duration that is exactly that many microseconds: 60000000 is `1m`. */
export function formatDurationUs(us: number): string {
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const size = DURATION_US[unit];
    if (us !== 0 && us % size === 0) return `${us / size}${unit}`;
  }
  return us === 0 ? '0s' : `${us}us`;
}

/** Bytes with one decimal and a decimal unit, for people: 1234567 is `1.2 MB`. */
export function formatBytes(bytes: number): string {
  for (const unit of ['TB', 'GB', 'MB', 'kB'] as const) {
    if (bytes >= SIZE_BYTES[unit]) return `${(bytes / SIZE_BYTES[unit]).toFixed(1)} ${unit}`;
  }
  return `${bytes} B`;
}

// Decimal digits are scaled as integers: 0.1ms is 100 us, where 0.1 * 1000 in doubles need not be.
function scaled(text: string, pattern: RegExp, units: Readonly<Record<string, number>>): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const unit = match[2];
  const [whole, fraction = ''] = text.slice(0, -unit.length).split('.');
  if (whole.length + fraction.length > 24) return undefined;
  const value = BigInt(whole + fraction) * BigInt(units[unit]);
  const divisor = 10n ** BigInt(fraction.length);
  if (value % divisor !== 0n || value / divisor > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return Number(value / divisor);
}
