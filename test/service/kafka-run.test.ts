// `paritas run` over a real Kafka cluster says what it says over the embedded log, byte by byte: the same records in topics of the same
// partitions. Without a broker its tests are skipped, and counted so.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { explainKey, runCheck, runReplay } from '../../topology/cli/check-engine.ts';
import { loadConfig } from '../../topology/config.ts';
import { openKafkaLog } from '../../topology/log/kafka/kafka-log.ts';
import type { AppendRecord } from '../../topology/log/log.ts';
import { prng } from '../simulation/prng.ts';
import { captureFile, capturePair, type CaptureTarget } from '../support/captures.ts';
import { generateCapture } from '../support/generate-capture.ts';
import { startKafkaBroker, type TestBroker } from '../support/kafka-broker.ts';
import { runStub } from '../support/stub-cli.ts';
import { inBothLogs, type BothPlaces } from './both-logs.ts';
import { signalAfter, startRun } from './process.ts';
import { capturedRecords, end, linesIn, positionsIn, runCalmly, runUntil, type TopicPlace } from './topics.ts';

const broker = await startKafkaBroker();
if (typeof broker === 'string') {
  process.stderr.write(`SKIPPED: paritas run on Kafka: ${broker}\n`);
  test('paritas run on Kafka: the same bytes as on the embedded log, killed or not', { skip: broker });
} else testsWith(broker);

function testsWith({ bootstrap, stop }: TestBroker): void {
  const folder = mkdtempSync(join(tmpdir(), 'paritas-kafka-run-'));
  const run = Date.now().toString(36);
  after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The same records in both logs, and a configuration for each. */
  const both = (name: string, pairs: object[], records: readonly AppendRecord[]): Promise<BothPlaces> => inBothLogs(folder, bootstrap, name, pairs, records, `${name}-${run}`);

  test('property 20: embedded log and Kafka give the same records: several captures at once, over one and over three partitions', async () => {
    const pairs: object[] = [];
    const records: AppendRecord[] = [];
    const cases: readonly (readonly [capture: string, table: string, target: CaptureTarget, partitions?: number])[] = [
      ['main', 'orders', 'tgt'], ['main', 'customers', 'tgtm', 3], ['faults-all', 'orders', 'tgt', 3], ['crash-redelivery', 'customers', 'tgt'],
    ];
    for (const [capture, table, target, partitions] of cases) {
      const pair = capturePair(capture, table, target) as { name: string; source: object; target: object };
      const topicOf = (name: string, over?: number): string => {
        const topic = `${run}.${capture}.${table}.${name}`;
        records.push(...capturedRecords(captureFile(capture, name), topic, over));
        return topic;
      };
      const [from, to] = ['src.public', target === 'tgt' ? 'tgt.public' : 'tgtm.shop'];
      const side = (which: 'source' | 'target', schema: string): object =>
        ({ ...pair[which], file: undefined, topic: topicOf(`${schema}.${table}`, partitions), heartbeat: { topic: topicOf(`${schema}.heartbeat`) }, delivery: 'exactly-once' });
      pairs.push({ ...pair, name: `${capture}-${pair.name}`, source: side('source', from), target: side('target', to), window: { size: '1s', lateness: '1s', lag: '3s', skew: '1s' } });
    }
    const { embedded, kafka } = await both('captures', pairs, records);
    const should = await runCalmly(embedded);
    ok(should.lines.filter(line => line.includes('"record":"verdict"')).length > 30, `only ${should.lines.length} records: they say little`);
    const is = await runUntil(kafka, should);
    equal(is.code, 0, is.lines.join('\n'));
    deepEqual((await linesIn(kafka)).sort(), should.lines.toSorted());
    equal(await positionsIn(kafka), should.positions);
    match(is.lines.at(-1) ?? '', /: closed$/);
  });

  test('what reads a log reads this one: check and explain its topics up to their ends, replay and verify what was said', async () => {
    const said = async (command: readonly string[], place: 'embedded' | 'kafka'): Promise<{ code: number; out: string; err: string }> =>
      runStub([...command, '--config', join(folder, `captures-${place}`, 'paritas.yaml')], { engine: { runCheck, runReplay, explainKey } });
    for (const command of [['check'], ['explain', '1007'], ['verdicts', '--change', 'diverged'], ['manifests'], ['audit', '-n', '3']]) {
      const ofPair = [...command, '--pair', 'main-orders-tgt', '-o', 'jsonl'];
      const [should, is] = [await said(ofPair, 'embedded'), await said(ofPair, 'kafka')];
      ok(should.out.length > 200, `${command.join(' ')}: ${should.err}`);
      equal(is.out, should.out, command.join(' '));
      equal(is.code, should.code);
    }
    for (const command of [['replay'], ['audit', '--verify'], ['state', 'verify']]) {
      const { code, out, err } = await said(command, 'kafka');
      equal(code, 0, `${command.join(' ')}: ${out}${err}`);
    }
    // The local state is made anew from the changelog, and is what it was.
    equal((await said(['state', 'rebuild'], 'kafka')).code, 0);
    equal((await said(['state', 'verify'], 'kafka')).code, 0);
  });

  test('state reset: refused while an instance runs; the second chain is that of the embedded log, byte by byte, and stands beside the first', async () => {
    const placeOf = (place: 'embedded' | 'kafka'): TopicPlace => {
      const configFile = join(folder, `captures-${place}`, 'paritas.yaml');
      return { configFile, config: loadConfig(configFile) };
    };
    const [embedded, kafka] = [placeOf('embedded'), placeOf('kafka')];
    const said = (place: TopicPlace, ...command: string[]): ReturnType<typeof runStub> => runStub([...command, '--config', place.configFile], { engine: { runCheck, runReplay, explainKey } });
    const ofPair = ['--pair', 'main-customers-tgtm'];
    const running = startRun(kafka.configFile);
    ok(await running.running, running.lines.join('\n'));
    const refused = await said(kafka, 'state', 'reset', ...ofPair, '--execute');
    equal(refused.code, 2);
    match(refused.err, /the service runs: group "captures-\w+" has \S+@\S+\. Stop every instance/);
    equal((await end(running)).code, 0);
    const before = await linesIn(kafka);
    for (const place of [embedded, kafka]) {
      const { code, out, err } = await said(place, 'state', 'reset', ...ofPair, '--execute', '-o', 'jsonl');
      equal(code, 0, err);
      const { ends, begins, topics, groups } = JSON.parse(out) as { ends: number; begins: number; topics: string[]; groups: string[] };
      deepEqual([ends, begins, topics.length, groups.length], [1, 2, 3, 4]);
    }
    deepEqual(await linesIn(kafka), before);
    const should = await runCalmly(embedded);
    ok(should.lines.filter(line => line.includes('"chain":2')).length > 10, 'there is a second chain');
    const is = await runUntil(kafka, should);
    equal(is.code, 0, is.lines.join('\n'));
    deepEqual((await linesIn(kafka)).sort(), should.lines.toSorted());
    for (const command of [['replay'], ['audit', '--verify'], ['state', 'verify']]) {
      const { code, out, err } = await said(kafka, ...command);
      equal(code, 0, `${command.join(' ')}: ${out}${err}`);
    }
    const log = await openKafkaLog({ bootstrapServers: [bootstrap] });
    deepEqual((await log.topics()).filter(topic => topic.startsWith(`captures-${run}-main-customers-tgtm-`)).filter(topic => !topic.endsWith('-2')), [], 'of the first chain no internal topic is left');
    await log.close();
  });

  test('killed with -9 at random moments, it says what an undisturbed one says', async () => {
    const { sourceFiles, targetFiles } = generateCapture({ events: 10_000, out: join(folder, 'generated'), faultsEvery: 1000 });
    const topics = [`${run}.source.shop.orders`, `${run}.target.shop.orders`];
    const side = (topic: string): object => ({ topic, format: 'debezium-json', replicaIdentity: 'full' });
    const pair = {
      name: 'orders', source: side(topics[0]), target: side(topics[1]), key: ['id'], match: { by: 'origin', source: 'source.lsn', target: 'after.origin_lsn' },
      window: { size: '1s', lateness: '500ms', lag: '2000ms', skew: '100ms' }, columns: { ignore: ['origin_lsn'] },
    };
    const records = [...capturedRecords(sourceFiles[0], topics[0]), ...capturedRecords(targetFiles[0], topics[1])];
    const { embedded, kafka } = await both('killed', [pair], records);
    const should = await runCalmly(embedded);
    ok(should.lines.length > 20, `only ${should.lines.length} records: they say little`);
    const random = prng(7);
    for (let kill = 0; kill < 4; kill++) {
      const before = await positionsIn(kafka);
      const service = startRun(kafka.configFile);
      ok(await service.running, service.lines.join('\n'));
      // Odd ones in the middle of what they do, even ones as soon as a commit of theirs is there.
      while (kill % 2 === 0 && service.child.exitCode === null && before !== should.positions && await positionsIn(kafka) === before) await setTimeout(10);
      await signalAfter(service, random.int(100), 'SIGKILL');
      equal((await service.gone).signal, 'SIGKILL', service.lines.join('\n'));
    }
    const last = await runUntil(kafka, should);
    equal(last.code, 0, last.lines.join('\n'));
    deepEqual((await linesIn(kafka)).sort(), should.lines.toSorted());
    deepEqual(last.lines.filter(line => line.includes('wiped')), []);
  });

  test('asked to end while it reads: 0, and the next one goes on', async () => {
    const asked = startRun(join(folder, 'killed-kafka', 'paritas.yaml'));
    ok(await asked.running, asked.lines.join('\n'));
    deepEqual((await end(asked)).code, 0);
  });
}
