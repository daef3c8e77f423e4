// Capture files as a log: the files of one side, surveyed and opened as one reader per partition (product.md §4, rulings 3, 23, 27).
//
// Invariant: what a reader gives depends on the files and their order only, never on where blocks are cut or in which order readers step.
import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { captureBlockBytes, captureCacheBytes } from '../../schemas/limits.ts';
import { newBlockCache } from './capture-cache.ts';
import { CaptureFileError } from './capture-errors.ts';
import { openCaptureFile } from './capture-file.ts';
import type { CaptureFile } from './capture-file.ts';
import { openPartition } from './capture-reader.ts';
import type { CapturePartition, Part } from './capture-reader.ts';
import { surveyFile } from './capture-survey.ts';
import type { Survey } from './capture-survey.ts';

export interface CaptureOptions {
  /** The side's topic; empty: as the lines name it. */
  readonly topic: string;
  readonly skipBadLines: boolean;
  /** Topics in the same files that are not the side's rows, whatever topic is asked for. */
  readonly aside?: readonly string[];
  /** Declared number of partitions: those without records get a reader too. */
  readonly partitions?: number;
  /** What `-` reads; bytes of a block and of the cache. For tests. */
  readonly stdin?: Readable;
  readonly blockBytes?: number;
  readonly cacheBytes?: number;
}

export interface CaptureLog {
  readonly topic: string;
  /** The readers of the side's topic by partition; of all topics, by partition and then topic, where no topic was asked for. */
  readonly partitions: readonly CapturePartition[];
  /** Readers of what else the files hold (transaction topic, heartbeats, other tables), by topic and partition. */
  readonly others: readonly CapturePartition[];
  /** Lines that are not blank, and bytes, unpacked, of all files. */
  readonly totalRecords: number;
  readonly totalBytes: number;
  /** Blocks read from the files so far, the survey not counted. */
  readonly blockLoads: number;
  close(): Promise<void>;
}

/** Opens the capture files of one side; `-` is standard input. Throws CaptureFileError, and BadCaptureLine unless bad lines are skipped. */
export async function openCaptures(files: readonly string[], options: CaptureOptions): Promise<CaptureLog> {
  const blockBytes = options.blockBytes ?? captureBlockBytes;
  const opened: CaptureFile[] = [];
  const closeFiles = (): void => {
    for (const file of opened.splice(0)) closeSync(file.fd);
  };
  try {
    const surveys: Survey[] = [];
    for (const [index, name] of files.entries()) {
      if (name === '-' && files.indexOf('-') < index) throw new CaptureFileError('-', 'standard input is named twice. It can be read once');
      const file = await openCaptureFile(name, options.stdin ?? process.stdin);
      opened.push(file);
      surveys.push(await surveyFile(file, index, options.skipBadLines, blockBytes));
    }
    return logOf(surveys, options, blockBytes, closeFiles);
  } catch (error) {
    closeFiles();
    throw error;
  }
}

function logOf(surveys: readonly Survey[], options: CaptureOptions, blockBytes: number, closeFiles: () => void): CaptureLog {
  const aside = options.aside ?? [];
  const named = namedTopics(surveys).filter((name) => !aside.includes(name));
  const topic = sideTopic(surveys, named, options.topic);
  const renamed = renamedTopic(surveys, named, options.topic);
  const parts = new Map<string, { topic: string; partition: number; parts: Part[] }>();
  const add = (name: string, partition: number): Part[] => {
    const id = `${partition} ${name}`;
    const known = parts.get(id) ?? { topic: name, partition, parts: [] };
    parts.set(id, known);
    return known.parts;
  };
  for (const survey of surveys) {
    for (const [slot, { topic: own, partition }] of survey.slots.entries()) {
      add(own === '' || own === renamed ? topic : own, partition).push({ survey, slot });
    }
  }
  for (let partition = 0; partition < (options.partitions ?? 0); partition++) add(topic, partition);
  const cache = newBlockCache(options.cacheBytes ?? captureCacheBytes, blockBytes);
  const readers = [...parts.values()].map((at) => openPartition(at.topic, at.partition, at.parts, cache));
  const isOwn = (reader: CapturePartition): boolean => (options.topic === '' && !aside.includes(reader.topic)) || reader.topic === topic;
  return {
    topic,
    partitions: readers.filter(isOwn).sort((a, b) => a.partition - b.partition || byCodeUnits(a.topic, b.topic)),
    others: readers.filter((reader) => !isOwn(reader)).sort((a, b) => byCodeUnits(a.topic, b.topic) || a.partition - b.partition),
    totalRecords: readers.reduce((sum, reader) => sum + (reader.total ?? 0), 0),
    totalBytes: surveys.reduce((sum, survey) => sum + survey.file.sizeBytes, 0),
    get blockLoads() {
      return cache.loads;
    },
    async close() {
      for (const reader of readers) await reader.close();
      closeFiles();
    },
  };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The topics that lines name, in order of appearance. */
function namedTopics(surveys: readonly Survey[]): readonly string[] {
  return [...new Set(surveys.flatMap((survey) => survey.slots.map((slot) => slot.topic)))].filter((name) => name !== '');
}

/** The topic asked for, else the first that a line names, else the first file's name. */
function sideTopic(surveys: readonly Survey[], named: readonly string[], asked: string): string {
  if (asked !== '') return asked;
  return named[0] ?? basename(surveys[0]?.file.name ?? '').replace(/\.gz$/, '').replace(/\.jsonl$/, '');
}

/** A capture of one topic stands for the topic asked for, whatever its name; in one of several the name must be there. */
function renamedTopic(surveys: readonly Survey[], named: readonly string[], asked: string): string | undefined {
  const unnamed = surveys.some((survey) => survey.slots.some((slot) => slot.topic === '' && slot.lines > 0));
  if (asked === '' || named.includes(asked) || named.length === 0 || unnamed) return undefined;
  if (named.length === 1) return named[0];
  throw new CaptureFileError(surveys.map((survey) => survey.file.name).join(', '), `no line of the topic ${asked}. The files hold ${named.join(', ')}: name one of them`);
}
