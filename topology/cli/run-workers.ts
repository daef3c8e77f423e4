// `run` with several workers: threads of this process, each with its share of the tasks. This thread does none of their work; over a log
// directory it has the log and the coordinator of their group, on Kafka each worker has a connection and a membership of its own.
//
// A worker that dies is replaced, and its tasks go to the others at once. One that says why it stops has met what stops the service.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';

import { type ErrorCode, ParitasError } from '../../schemas/errors.ts';
import { groupAcceptableLag, groupSessionMs, workerDeathsMax, workerLifeMs } from '../../schemas/limits.ts';
import type { Log } from '../log/log.ts';
import { serveMember } from '../log/remote/remote-member.ts';
import { serveLog } from '../log/remote/serve-log.ts';
import { type Coordinator, createCoordinator } from '../runtime/group-coordinator.ts';
import { taskName } from '../runtime/task-id.ts';
import { openLogToWrite } from './open-log.ts';
import type { RunParts } from './run-service.ts';
import { tasksOfAll } from './run-share.ts';

/** What a worker thread is started with. */
export interface WorkerTask extends Pick<RunParts, 'config' | 'pairs'> {
  /** From 1. */
  readonly worker: number;
  /** Of a log directory: its owner's. */
  readonly ports: { readonly log: MessagePort; readonly member: MessagePort } | undefined;
}

/** What a worker thread posts. After `ended` or `failed` it exits. */
export type WorkerMessage = { readonly say: string } | { readonly ended: true } | { readonly failed: { readonly code: ErrorCode; readonly message: string } };

/** `script`: what each thread runs. */
export async function runWorkers(parts: RunParts, script: URL = new URL('./run-worker.ts', import.meta.url)): Promise<void> {
  const { config, signal } = parts;
  const stop = new AbortController();
  const owned = config.log.kind === 'embedded' ? await openOwned(parts) : undefined;
  try {
    const ended = await Promise.allSettled(Array.from({ length: config.workers }, (_, i) =>
      keepRunning(i + 1, owned, script, { ...parts, signal: AbortSignal.any([signal, stop.signal]) }).catch((error: unknown) => {
        stop.abort();
        throw error;
      })));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  } finally {
    await owned?.log.close();
  }
}

interface Owned { readonly log: Log; readonly coordinator: Coordinator }

/** Workers share the state directory: whoever gets a task finds its state there, and there is nothing to follow. */
async function openOwned({ config, pairs, clock, say, signal }: RunParts): Promise<Owned> {
  const log = await openLogToWrite(config.log, { clock, say, signal });
  try {
    const tasks = (await tasksOfAll(pairs, config.application, log)).map(taskName);
    return { log, coordinator: createCoordinator({ tasks, settings: { standbyReplicas: 0, acceptableLag: groupAcceptableLag }, sessionMs: groupSessionMs, clock }) };
  } catch (error) {
    await log.close();
    throw error;
  }
}

async function keepRunning(worker: number, owned: Owned | undefined, script: URL, parts: RunParts): Promise<void> {
  for (let deaths = 1; ; deaths++) {
    const begunMs = parts.clock.nowMs();
    const death = await runOnce(worker, owned, script, parts);
    if (death === undefined || parts.signal.aborted) return;
    if (parts.clock.nowMs() - begunMs > workerLifeMs) deaths = 1;
    if (deaths > workerDeathsMax) throw new ParitasError('internal', `worker ${worker} has died ${deaths} times, at last of: ${death}`);
    parts.say(`worker ${worker} has died, and another one takes its place: ${death}`);
  }
}

/** What the thread died of; undefined: it ended as it was told. */
async function runOnce(worker: number, owned: Owned | undefined, script: URL, { config, pairs, signal, say }: RunParts): Promise<string | undefined> {
  const [log, member] = [new MessageChannel(), new MessageChannel()];
  const seat = owned?.coordinator.member();
  if (owned !== undefined) serveLog(log.port1, owned.log);
  if (seat !== undefined) serveMember(member.port1, seat);
  const ports = owned === undefined ? undefined : { log: log.port2, member: member.port2 };
  const thread = new Worker(script, {
    workerData: { config, pairs, worker, ports } satisfies WorkerTask, transferList: ports === undefined ? [] : [ports.log, ports.member],
  });
  const stop = (): void => thread.postMessage('stop');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    return await untilItExits(thread, say);
  } finally {
    signal.removeEventListener('abort', stop);
    for (const port of [log.port1, member.port1]) port.close();
    await seat?.leave();
  }
}

function untilItExits(thread: Worker, say: (line: string) => void): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let hasEnded = false;
  let death: string | undefined;
  thread.on('message', (message: WorkerMessage) => {
    if ('say' in message) say(message.say);
    else if ('failed' in message) reject(new ParitasError(message.failed.code, message.failed.message));
    else hasEnded = true;
  });
  thread.on('error', (error: unknown) => { death = error instanceof Error ? error.message : String(error); });
  thread.on('exit', code => resolve(hasEnded ? undefined : death ?? `it exited with ${code}`));
  return promise;
}
