// What is wrong with a configuration, as lines that an editor can jump to: `paritas.yaml:7:5: unknown key "windw" in pairs[0]; did you mean …`.
// Every problem is reported, in the order of the file, not only the first.
import type { z } from 'zod';

import { ParitasError } from '../schemas/errors.ts';
import { didYouMean } from './config-nearest.ts';
import { namesAt } from './config-schema.ts';
import type { SchemaNode } from './config-schema.ts';
import { pathKey, placeOf, printOrigin, printPath } from './config-source.ts';
import type { ConfigPath, ConfigSource } from './config-source.ts';

/** A problem at a path of the tree. `of: 'key'` points at the key itself, for keys that should not be there. */
export interface Problem { readonly path: ConfigPath; readonly message: string; readonly of?: 'key' | 'value' }

/** Collects what is wrong; `throwIfAny` reports it all. */
export interface Problems {
  add(path: ConfigPath, message: string, of?: 'key' | 'value'): void;
  throwIfAny(): void;
}

export function createProblems(source: ConfigSource): Problems {
  const found: Problem[] = [];
  return {
    add: (path, message, of = 'value') => void found.push({ path, message, of }),
    throwIfAny: () => {
      if (found.length > 0) throw new ParitasError('config', printProblems(source, found));
    },
  };
}

/** Turns what zod found into problems. */
export function addIssues(problems: Problems, schema: SchemaNode, issues: readonly z.core.$ZodIssue[], base: ConfigPath = []): void {
  for (const issue of issues) {
    const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) problems.add([...path, key], unknownKey(schema, path, key), 'key');
    } else if (issue.code === 'invalid_union' && deepest(issue.errors) !== undefined) {
      addIssues(problems, schema, deepest(issue.errors) ?? [], path);
    } else {
      problems.add(path, `${printPath(path) || 'the file'}${issue.message.startsWith('is missing') || issue.message.startsWith('has ') ? ' ' : ': '}${issue.message}`);
    }
  }
}

/** The branch of a union that the user meant: the one whose own type fits, so that its problems lie deeper. */
function deepest(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  return branches.find((issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys'));
}

function unknownKey(schema: SchemaNode, path: ConfigPath, key: string): string {
  const names = namesAt(schema, path);
  const where = path.length === 0 ? '' : ` in ${printPath(path)}`;
  const guess = didYouMean(key, names);
  return `unknown key "${key}"${where}${guess === '' ? `; known are ${names.join(', ')}` : guess}`;
}

function printProblems(source: ConfigSource, problems: readonly Problem[]): string {
  const lines = problems.map((problem) => {
    const origin = placeOf(source, problem.path, problem.of ?? 'value');
    const order = origin?.kind === 'file' ? origin.line * 1e6 + origin.column : 0;
    // A flag says by its name what a path would say.
    const named = origin?.kind === 'flag' ? problem.message.replace(`${printPath(problem.path)}: `, '') : problem.message;
    const message = source.secrets.has(pathKey(problem.path)) ? named.replace(/, got [^]*$/, '') : named;
    return { order, line: `${origin === undefined ? (source.file ?? 'flags') : printOrigin(origin)}: ${message}` };
  });
  // One flag may set both sides: its problem is one.
  return [...new Set(lines.sort((a, b) => a.order - b.order).map(({ line }) => line))].join('\n');
}
