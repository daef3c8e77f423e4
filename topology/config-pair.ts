// One pair of the file as the settings that every floor reads: durations in microseconds, files absolute, rules in one form, meaning checked.
import { resolve } from 'node:path';

import { SIDES } from '../schemas/change-event.ts';
import type { Side } from '../schemas/change-event.ts';
import type { ConnectSchema, MatchSettings, PairSettings, SideSettings, WindowSettings } from '../schemas/pair.ts';
import { auxiliaryTopics } from './config-auxiliary.ts';
import { columnSettings, list } from './config-columns.ts';
import { readConnectSchema } from './config-connect-schema.ts';
import { configHash } from './config-hash.ts';
import { matchSettings } from './config-match.ts';
import type { Problems } from './config-problems.ts';
import type { PairFile, SideFile } from './config-file.ts';
import { printPath } from './config-source.ts';
import type { ConfigPath } from './config-source.ts';
import { parseDurationUs } from './units.ts';

/** What a pair takes from around it. */
export interface PairContextSettings { readonly folder: string; readonly maskKey: string; readonly problems: Problems }

export function pairSettings(pair: PairFile, path: ConfigPath, context: PairContextSettings): PairSettings {
  const { problems } = context;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(pair.name)) {
    problems.add([...path, 'name'], `${printPath(path)}.name: "${pair.name}" may hold letters, digits, ".", "_" and "-" only; it is part of topic names`);
  }
  const match: MatchSettings = matchSettings(pair, [...path, 'match'], problems);
  checkInputs(pair, path, problems);
  const settings = {
    name: pair.name,
    source: sideSettings(pair, 'source', path, context),
    target: sideSettings(pair, 'target', path, context),
    key: pair.key === undefined ? undefined : list(pair.key),
    match,
    window: windowSettings(pair, [...path, 'window'], problems),
    policy: pair.policy,
    partitioning: pair.partitioning,
    columns: columnSettings(pair, path, context.maskKey, problems),
  };
  checkKey(settings.key, [...path, 'key'], problems);
  return { ...settings, configHash: configHash(settings) };
}

function sideSettings(pair: PairFile, name: Side, path: ConfigPath, context: PairContextSettings): SideSettings {
  const side = pair[name];
  return {
    topic: side.topic ?? '',
    format: side.format,
    files: list(side.file).map((file) => (file === '-' ? file : resolve(context.folder, file))),
    partitions: side.partitions,
    valueSchema: schemaOf(side, 'valueSchema', [...path, name], context),
    keySchema: schemaOf(side, 'keySchema', [...path, name], context),
    ...auxiliaryTopics(side, [...path, name], context.folder, context.problems),
    delivery: side.delivery,
    deliveryGraceUs: durationUs(side.deliveryGrace),
    captureDelayUs: side.captureDelay === undefined ? undefined : durationUs(side.captureDelay),
    order: side.order,
    updates: side.updates,
    unavailablePlaceholder: side.unavailablePlaceholder,
    replicaIdentity: side.replicaIdentity,
    noopUpdates: side.noopUpdates,
    epoch: side.epoch,
  };
}

function schemaOf(side: SideFile, key: 'valueSchema' | 'keySchema', path: ConfigPath, context: PairContextSettings): ConnectSchema | undefined {
  const given = side[key];
  if (given === undefined) return undefined;
  const schema = readConnectSchema(given, context.folder);
  if (!('problem' in schema)) return schema;
  context.problems.add([...path, key], `${printPath([...path, key])}: ${schema.problem}`);
  return undefined;
}

function windowSettings({ window }: PairFile, path: ConfigPath, problems: Problems): WindowSettings {
  const settings = {
    sizeUs: durationUs(window.size),
    latenessUs: durationUs(window.lateness),
    lagUs: durationUs(window.lag),
    skewUs: durationUs(window.skew),
    retainUs: durationUs(window.retain),
  };
  if (settings.sizeUs === 0) problems.add([...path, 'size'], `${printPath(path)}.size: a window cannot be empty; write e.g. 1s`);
  return settings;
}

/** Both sides from files or both from a log; a log needs topics. */
function checkInputs(pair: PairFile, path: ConfigPath, problems: Problems): void {
  const [source, target] = SIDES.map((side) => list(pair[side].file).length > 0);
  if (source !== target) {
    const without = source ? 'target' : 'source';
    problems.add([...path, without], `${printPath([...path, without])}: has no file, the other side has one; give both sides a file, or both a topic of the log`);
    return;
  }
  for (const side of SIDES) {
    if (!source && pair[side].topic === undefined) problems.add([...path, side], `${printPath([...path, side])}: needs a topic or a file`);
  }
  const files = SIDES.flatMap((side) => [...list(pair[side].file), ...list(pair[side].transactionFile), ...list(pair[side].heartbeat?.file)]);
  if (files.filter((file) => file === '-').length > 1) {
    problems.add([...path, 'target'], `${printPath([...path, 'target'])}.file: standard input (-) can be read once only`);
  }
}

function checkKey(key: readonly string[] | undefined, path: ConfigPath, problems: Problems): void {
  if (key === undefined) return;
  if (key.length === 0) problems.add(path, `${printPath(path)}: expected a column name or a list of them, e.g. [id]; leave it out to take the columns of the record key`);
  const twice = key.find((column, i) => key.indexOf(column) !== i);
  if (twice !== undefined) problems.add(path, `${printPath(path)}: "${twice}" is listed twice`);
}

/** The schema has let only durations through. */
function durationUs(text: string): number {
  return parseDurationUs(text) ?? 0;
}
