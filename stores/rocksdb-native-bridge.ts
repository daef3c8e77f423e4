// The way to the thread of rocksdb-native: a call is handed over and waited for, this thread standing still as long. The thread is started when
// the first database is opened and serves all of this one; it ends with the process, which it does not keep alive.
//
// Costs one crossing a call (some 0.1 ms with the package's own), and the thread some 20 MB: calls are batches (a commit, a page of rows), so it is little an event.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { engineAnswerMsMax } from '../schemas/limits.ts';
import type { Answered, Failed, NativeCall, NativeOrder, OrderAnswer, ThreadData } from './rocksdb-native-thread.ts';

export interface NativeBridge {
  /** The number of the database. Rejects with what the package says. */
  open(directory: string): Promise<number>;
  close(db: number): Promise<void>;
  /** `memory` is handed over, not copied. Throws what the package says. */
  call(call: NativeCall, memory: readonly ArrayBuffer[]): Answered;
}

const THREAD = new URL('./rocksdb-native-thread.ts', import.meta.url);
let started: Promise<NativeBridge> | undefined;

/** Rejects where the package is not installed or has no binary that loads. */
export function nativeBridge(): Promise<NativeBridge> {
  return started ??= startBridge(THREAD);
}

type Order = { kind: 'open'; db: number; directory: string } | { kind: 'close'; db: number };

/** `script`: of the thread. */
export async function startBridge(script: URL): Promise<NativeBridge> {
  const { port1: calls, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(script, {
    workerData: { calls: port2, answered } satisfies ThreadData, transferList: [port2], execArgv: [],
  });
  calls.unref();
  const waiting = new Map<number, (failure: Failed | undefined) => void>();
  let orders = 0;
  let databases = 0;
  /** Why no answer can come any more. */
  let ended: string | undefined;

  /** Order 0 is the start. */
  function answerTo(order: number): Promise<void> {
    thread.ref();
    return new Promise((resolve, reject) => {
      waiting.set(order, (failed) => {
        if (waiting.size === 0) thread.unref();
        if (failed === undefined) resolve();
        else reject(asError(failed));
      });
    });
  }

  function settle(order: number, failed: Failed | undefined): void {
    const settled = waiting.get(order);
    waiting.delete(order);
    settled?.(failed);
  }

  function order(what: Order): Promise<void> {
    if (ended !== undefined) return Promise.reject(new Error(ended));
    const number = ++orders;
    thread.postMessage({ ...what, order: number } satisfies NativeOrder);
    return answerTo(number);
  }

  function end(why: string): void {
    ended ??= why;
    for (const number of [...waiting.keys()]) settle(number, { failed: why, code: 'ENDED' });
  }

  thread.on('message', ({ order: number, failure }: OrderAnswer) => { settle(number, failure); });
  thread.on('error', (thrown) => { end(thrown instanceof Error ? thrown.message : String(thrown)); });
  thread.on('exit', () => { end('the thread of rocksdb-native has ended'); });
  await answerTo(0);

  return {
    async open(directory) {
      const db = ++databases;
      await order({ kind: 'open', db, directory });
      return db;
    },
    close: db => order({ kind: 'close', db }),
    call(call, memory) {
      if (ended !== undefined) throw new Error(ended);
      Atomics.store(answered, 0, 0);
      calls.postMessage(call, memory);
      Atomics.wait(answered, 0, 0, engineAnswerMsMax);
      const received = receiveMessageOnPort(calls) as { message: Answered | Failed } | undefined;
      // A late answer would be taken for that to the next call.
      if (received === undefined) ended = `rocksdb-native has not answered for ${engineAnswerMsMax / 1000} s`;
      else if (!('failed' in received.message)) return received.message;
      else if (received.message.code === 'ENDED') ended = received.message.failed;
      else throw asError(received.message);
      throw new Error(ended);
    },
  };
}

function asError({ failed, code }: Failed): Error {
  return Object.assign(new Error(failed), { code });
}
