// The keys that come nearest to one that does not occur. A handful is kept, however many keys a capture holds.
import type { KeyJson } from '../../schemas/records.ts';
import { distance as editsBetween } from '../config-nearest.ts';

const KEPT = 5;

export interface NearestKeys {
  /** The key asked for, once it was seen, and its canonical bytes. */
  found: KeyJson | undefined;
  foundBytes: Buffer | undefined;
  /** Takes a key that is not the one asked for, as text. */
  note(text: string): void;
  /** Nearest first. */
  nearest(): string[];
}

export function createNearestKeys(asked: string): NearestKeys {
  const kept: { text: string; distance: number }[] = [];
  return {
    found: undefined,
    foundBytes: undefined,
    note(text) {
      if (kept.some((key) => key.text === text)) return;
      const distance = distanceOf(asked, text);
      if (kept.length === KEPT && distance >= kept[KEPT - 1].distance) return;
      kept.push({ text, distance });
      kept.sort((a, b) => a.distance - b.distance || (a.text < b.text ? -1 : 1));
      kept.length = Math.min(kept.length, KEPT);
    },
    nearest: () => kept.map(({ text }) => text),
  };
}

/** Numbers by their difference, scaled below one edit step where the text before them is the same; other text by edits. */
function distanceOf(asked: string, text: string): number {
  const numbered = /^(.*?)(\d+)$/;
  const a = numbered.exec(asked);
  const b = numbered.exec(text);
  if (a !== null && b !== null && (a[1] === b[1] || a[1] === '')) {
    const apart = Math.abs(Number(a[2]) - Number(b[2]));
    return apart / (1 + apart);
  }
  return editsBetween(asked, text);
}
