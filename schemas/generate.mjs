// Generates schemas/generated/ (protobufjs static module and its types) from the .proto files, and schemas.lock.json, which pins every
// field's number, name and type. `npm run schemas` writes both; it refuses a change that would make old records unreadable.
// Adding fields and messages is compatible. A field may go only if its number is reserved.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pbjs from 'protobufjs-cli/pbjs.js';

const SCHEMAS = import.meta.dirname;
const LOCK = join(SCHEMAS, 'schemas.lock.json');
// No reflection, no conversion, no delimited form: codecs.ts needs encode and decode.
const STATIC = ['-t', 'static-module', '-w', 'esm', '--no-create', '--no-verify', '--no-convert', '--no-delimited', '--no-typeurl',
  '--no-service', '--force-long', '--null-semantics'];

export function protoFiles() {
  return readdirSync(SCHEMAS).filter((name) => name.endsWith('.proto')).sort().map((name) => join(SCHEMAS, name));
}

/** Writes records.js and records.d.ts into `folder`. The types are made from comments that the shipped code does not need. */
export async function generate(folder) {
  mkdirSync(folder, { recursive: true });
  const code = join(folder, 'records.js');
  await run([...STATIC, '--dts', '-o', code]);
  await run([...STATIC, '--no-comments', '-o', code]);
}

/** Message name to { fingerprint, fields: { number: "label type name" }, reserved }, sorted. */
export async function describeMessages() {
  const tree = JSON.parse(await run(['-t', 'json', '--keep-case']));
  const messages = {};
  for (const [name, message] of messagesOf(tree, [])) {
    const fields = {};
    for (const [field, { id, type, rule, options }] of Object.entries(message.fields).sort(([, a], [, b]) => a.id - b.id)) {
      const label = rule ?? (options?.proto3_optional === true ? 'optional' : 'singular');
      const oneof = Object.entries(message.oneofs ?? {}).find(([group, { oneof: members }]) => members.includes(field) && !group.startsWith('_'));
      fields[id] = `${oneof === undefined ? label : `oneof(${oneof[0]})`} ${type} ${field}`;
    }
    const fingerprint = createHash('sha256').update(JSON.stringify([name, fields])).digest('hex').slice(0, 16);
    messages[name] = { fingerprint, fields, reserved: message.reserved ?? [] };
  }
  return messages;
}

/** What `now` breaks for readers and writers of `locked`, as sentences; empty where it is compatible. */
export function incompatibilities(locked, now) {
  const found = [];
  for (const [name, { fields }] of Object.entries(locked)) {
    if (now[name] === undefined) {
      found.push(`message ${name} is gone`);
      continue;
    }
    for (const [number, field] of Object.entries(fields)) {
      const next = now[name].fields[number];
      const reserved = now[name].reserved.some((part) => Array.isArray(part) && part[0] <= Number(number) && Number(number) <= part[1]);
      if (next === undefined && !reserved) found.push(`${name}: field ${number} (${field}) is gone; reserve its number`);
      if (next !== undefined && next !== field) found.push(`${name}: field ${number} was "${field}", is "${next}"; give the new one a new number`);
    }
    for (const part of locked[name].reserved) {
      const used = Object.keys(now[name].fields).map(Number).find((number) => Array.isArray(part) && part[0] <= number && number <= part[1]);
      if (used !== undefined) found.push(`${name}: number ${used} was reserved and is used again`);
    }
  }
  return found;
}

export function readLock() {
  return JSON.parse(readFileSync(LOCK, 'utf8'));
}

function* messagesOf(node, path) {
  if (node.fields !== undefined && path[0] === 'paritas') yield [path.join('.'), node];
  for (const [name, child] of Object.entries(node.nested ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) yield* messagesOf(child, [...path, name]);
}

function run(args) {
  return new Promise((resolve, reject) => {
    pbjs.main([...args, '-p', SCHEMAS, ...protoFiles()], (error, output) => {
      if (error) reject(error);
      else resolve(output);
    });
  });
}

if (process.argv[1] === import.meta.filename) {
  const messages = await describeMessages();
  let locked = {};
  try {
    locked = readLock();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const broken = incompatibilities(locked, messages);
  if (broken.length > 0) {
    process.stderr.write(`schemas: not compatible with schemas.lock.json\n${broken.map((line) => `  ${line}\n`).join('')}`);
    process.exit(1);
  }
  const folder = join(SCHEMAS, 'generated');
  rmSync(folder, { recursive: true, force: true });
  await generate(folder);
  writeFileSync(LOCK, `${JSON.stringify(messages, null, 1)}\n`);
  process.stdout.write(`schemas: ${Object.keys(messages).length} messages generated and locked\n`);
}
