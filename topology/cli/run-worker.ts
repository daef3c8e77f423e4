// A worker thread of `run` (run-workers.ts): runs its share of the tasks until it is told to stop.
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

import { classify } from '../../schemas/errors.ts';
import { groupAcceptableLag, groupHeartbeatMs, groupSessionMs } from '../../schemas/limits.ts';
import { openRemoteLog } from '../log/remote/remote-log.ts';
import { openRemoteMember } from '../log/remote/remote-member.ts';
import { createMembership } from '../runtime/membership.ts';
import type { Clock } from '../runtime/pacer.ts';
import { joinKafkaGroup } from './kafka-group.ts';
import { openLogToWrite } from './open-log.ts';
import { runShare, type ShareParts } from './run-share.ts';
import type { WorkerMessage, WorkerTask } from './run-workers.ts';

const { config, pairs, worker, ports } = workerData as WorkerTask;
const stop = new AbortController();
const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);
const say = (line: string): void => tell({ say: line });
const clock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).then(() => undefined, () => undefined),
};
parentPort?.once('message', () => stop.abort());

try {
  await run();
  tell({ ended: true });
} catch (error) {
  const { code, message } = classify(error);
  tell({ failed: { code, message } });
} finally {
  parentPort?.close();
}

async function run(): Promise<void> {
  const log = ports === undefined ? await openLogToWrite(config.log, { clock, say, signal: stop.signal }) : openRemoteLog(ports.log);
  try {
    const join = ports === undefined ? await joinKafkaGroup(config, { clock, say, worker }) : joinOwners(ports.member);
    await runShare({ config, pairs, log, worker, clock, signal: stop.signal, say, ...(join === undefined ? {} : { join }) });
  } finally {
    await log.close();
  }
}

/** Its coordinator knows the tasks. */
function joinOwners(port: NonNullable<WorkerTask['ports']>['member']): NonNullable<ShareParts['join']> {
  return () => createMembership({
    protocol: openRemoteMember(port), lags: () => ({}), acceptableLag: groupAcceptableLag, heartbeatMs: groupHeartbeatMs, repeatMs: groupSessionMs, clock, say,
  });
}
