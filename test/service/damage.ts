// A store that is damaged while the service is down: each kind of damage on a copy of what a half-way service has left, then the service goes on
// and its output topics are held against an undisturbed run.
import { closeSync, cpSync, openSync, readdirSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { calmRun, runOn } from './kill.ts';
import { positionsIn } from './outputs.ts';
import { startService, type Place } from './process.ts';

export interface Damage { readonly name: string; readonly harm: (db: string, otherDb: string) => void }

const filesOf = (db: string, ending: RegExp): string[] => readdirSync(db).filter(name => ending.test(name)).map(name => join(db, name)).filter(path => statSync(path).size > 0);
const SST = /\.sst$/;
const WAL = /\.log$/;

/** Eight bytes from a part of the file on, each turned over. */
function flip(path: string, part: number): void {
  const fd = openSync(path, 'r+');
  const bytes = Buffer.alloc(8);
  const at = Math.floor(statSync(path).size * part);
  readSync(fd, bytes, 0, 8, at);
  writeSync(fd, bytes.map(byte => byte ^ 0xff), 0, 8, at);
  closeSync(fd);
}

function cutTo(path: string, part: number): void {
  truncateSync(path, Math.floor(statSync(path).size * part));
}

export const DAMAGES: readonly Damage[] = [
  { name: 'flipped bytes in the table files', harm: db => { for (const path of filesOf(db, SST)) flip(path, 0.2); } },
  { name: 'a table file cut short', harm: db => { cutTo(filesOf(db, SST)[0], 0.5); } },
  { name: 'a table file deleted', harm: db => { rmSync(filesOf(db, SST)[0]); } },
  { name: 'the tail of the write-ahead log cut off', harm: db => { for (const path of filesOf(db, WAL)) cutTo(path, 0.7); } },
  { name: 'flipped bytes in the middle of the write-ahead log', harm: db => { for (const path of filesOf(db, WAL)) flip(path, 0.5); } },
  { name: 'the manifest cut short', harm: db => { for (const path of filesOf(db, /^MANIFEST-/)) cutTo(path, 0.5); } },
  { name: 'CURRENT missing', harm: db => { rmSync(join(db, 'CURRENT')); } },
  { name: 'an empty directory', harm: db => { for (const name of readdirSync(db)) rmSync(join(db, name)); } },
  { name: 'the store of another task', harm: (db, otherDb) => {
    rmSync(db, { recursive: true });
    cpSync(otherDb, db, { recursive: true });
  } },
];

export interface DamageRun {
  readonly name: string;
  /** What the service said of it. */
  readonly notices: readonly string[];
  /** From the undisturbed run; empty: none. */
  readonly differences: readonly string[];
}

export interface DamageParts { readonly configFile: string; readonly folder: string; readonly pair: string; readonly damages: readonly Damage[]; readonly onRun: (run: DamageRun) => void }

/** `folder`: for logs and states, emptied by the caller. `pair`: of the application `generated`. */
export async function damageRuns({ configFile, folder, pair, damages, onRun }: DamageParts): Promise<void> {
  const placeOf = (name: string): Place => ({ configFile, folder: join(folder, name), commitIntervalMs: 100 });
  const dbOf = (place: Place): string => join(place.folder, 'state/generated', pair, 'reconcile-0/db');
  const [calm, half] = [placeOf('calm'), placeOf('half')];
  const undisturbed = await calmRun(calm);
  // Twice: what the first life wrote lies in table files by then, what the second wrote in the write-ahead log.
  for (const part of [0.3, 0.6]) await stopAt(half, undisturbed.end.read * part);
  for (const [i, { name, harm }] of damages.entries()) {
    const place = placeOf(`damage-${i}`);
    cpSync(half.folder, place.folder, { recursive: true });
    harm(dbOf(place), dbOf(calm));
    const { notices, differences } = await runOn(place, undisturbed).catch((error: unknown) => ({ notices: [], differences: [String(error)] }));
    onRun({ name, notices, differences });
    rmSync(place.folder, { recursive: true });
  }
}

async function stopAt(place: Place, records: number): Promise<void> {
  const service = startService(place);
  await service.running;
  while (service.child.exitCode === null && (await positionsIn(place)).read < records) await setTimeout(10);
  service.child.kill('SIGTERM');
  const { code } = await service.gone;
  if (code !== 0) throw new Error(`the service ended with ${code}: ${service.lines.join('\n')}`);
}
