// The hash over what decides a verdict. Equal settings give equal hashes whatever the order, the comments and the units they were written
// in; where the records lie (files, topics, folders) is not part of it, because the same changes give the same verdict from anywhere.
import { hash } from 'node:crypto';

import type { PairSettings, SideSettings } from '../schemas/pair.ts';

/**
 * To be bumped by every change that lets the same logs and decisions give another verdict or manifest record (a rule, a class, a field, what a
 * hash covers), or the state of a shard mean something else: verdicts under other rules have other ids, a replay of older ones names the rules
 * as what differs, and a task does not go on from state that was made under them.
 */
export const RULES_VERSION = 4;

/** SHA-256 in hex. */
export function configHash(pair: Omit<PairSettings, 'configHash'>): string {
  return hash('sha256', canonicalJson(decisive(pair)), 'hex');
}

/** What goes into the hash, leaf by leaf: path in the settings to JSON. Holds no secret. */
export function decisiveSettings(pair: PairSettings): Record<string, string> {
  const leaves: Record<string, string> = {};
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) for (const [name, item] of Object.entries(value)) walk(item, path === '' ? name : `${path}.${name}`);
    else if (value !== undefined) leaves[path] = canonicalJson(value);
  };
  walk(decisive(pair), '');
  return leaves;
}

function decisive(pair: Omit<PairSettings, 'configHash'>): Record<string, unknown> {
  const { maskKey, ...columns } = pair.columns;
  return {
    rules: RULES_VERSION,
    source: sideThatDecides(pair.source),
    target: sideThatDecides(pair.target),
    key: pair.key ?? null,
    match: pair.match,
    window: pair.window,
    policy: pair.policy,
    // The secret itself must not be found by guessing against the hash of a known configuration: only whether two keys differ is told.
    columns: { ...columns, maskKeyId: maskKey === '' ? '' : hash('sha256', `paritas mask key id ${maskKey}`, 'hex').slice(0, 16) },
  };
}

/** 32 bytes in hex from a secret of any length, or from the application's name where there is none. */
export function deriveMaskKey(secret: string | undefined, application: string): string {
  return hash('sha256', secret ?? `paritas mask key of ${application}`, 'hex');
}

/** JSON with sorted keys and without white space; what is undefined is left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`;
}

function sideThatDecides(side: SideSettings): Record<string, unknown> {
  const { transactions, heartbeat, delivery, deliveryGraceUs } = side;
  const evidence = transactions !== undefined || heartbeat !== undefined;
  return {
    ...side, topic: undefined, files: undefined,
    transactions: transactions !== undefined, heartbeat: heartbeat === undefined ? undefined : true,
    // What a connector promises counts where it is used.
    delivery: evidence ? delivery : undefined, deliveryGraceUs: evidence && delivery === 'at-least-once' ? deliveryGraceUs : undefined,
  };
}
