// Calls over a MessagePort: who owns something answers, who has the other end asks. Answers come in the order in which they are ready; what one
// side posts arrives in the order of posting. Errors arrive as what they were: whoever asks tells a fenced writer from a full disk.
import type { MessagePort, Transferable } from 'node:worker_threads';
import { type ErrorCode, ParitasError } from '../../../schemas/errors.ts';
import { AppendEnded, AppendRefused } from '../../runtime/append-ended.ts';
import { MemberLost } from '../../runtime/membership.ts';
import { WriterFenced } from '../../runtime/writer-fenced.ts';
import { unreachable } from '../../../schemas/unreachable.ts';
import { LogError, type LogErrorReason } from '../embedded-error.ts';

type Methods<M> = { readonly [K in keyof M]: (...args: never[]) => Promise<unknown> };
type Args<M, K extends keyof M> = M[K] extends (...args: infer A) => unknown ? A : never;
type Result<M, K extends keyof M> = M[K] extends (...args: never[]) => Promise<infer R> ? R : never;

export interface Caller<M> {
  /** Rejects with what the owner threw, and with LogError `closed` once the other end is gone. */
  call<K extends keyof M & string>(method: K, args: Args<M, K>, transfer?: readonly Transferable[]): Promise<Result<M, K>>;
  close(): void;
}

interface Question { readonly id: number; readonly method: string; readonly args: readonly unknown[] }
interface Answer { readonly id: number; readonly value?: unknown; readonly error?: SentError }

export function createCaller<M extends Methods<M>>(port: MessagePort): Caller<M> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  let isClosed = false;
  port.on('message', ({ id, value, error }: Answer) => {
    const question = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) question?.resolve(value);
    else question?.reject(received(error));
  });
  port.on('close', () => {
    isClosed = true;
    for (const question of waiting.values()) question.reject(gone());
    waiting.clear();
  });
  return {
    call: async (method, args, transfer = []) => {
      if (isClosed) throw gone();
      const id = ++calls;
      const question = Promise.withResolvers<unknown>();
      waiting.set(id, question);
      port.postMessage({ id, method, args } satisfies Question, [...transfer]);
      return await question.promise as never;
    },
    close: () => port.close(),
  };
}

/** `transferOf`: what of an answer is handed over and not copied. */
export function answerCalls<M extends Methods<M>>(port: MessagePort, methods: M, transferOf: (value: unknown) => readonly Transferable[] = () => []): void {
  port.on('message', ({ id, method, args }: Question) => {
    const answer = (methods[method as keyof M] as unknown as (...args: unknown[]) => Promise<unknown>)(...args);
    answer.then(
      value => port.postMessage({ id, value } satisfies Answer, [...transferOf(value)]),
      (error: unknown) => port.postMessage({ id, error: sent(error) } satisfies Answer),
    );
  });
}

interface SentError { readonly kind: 'log' | 'fenced' | 'ended' | 'refused' | 'lost' | 'known' | 'other'; readonly message: string; readonly detail: string }

function sent(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof LogError) return { kind: 'log', message, detail: error.reason };
  if (error instanceof WriterFenced) return { kind: 'fenced', message, detail: error.writer };
  if (error instanceof AppendEnded) return { kind: 'ended', message, detail: error.writer };
  if (error instanceof AppendRefused) return { kind: 'refused', message, detail: error.code };
  if (error instanceof MemberLost) return { kind: 'lost', message, detail: '' };
  if (error instanceof ParitasError) return { kind: 'known', message, detail: error.code };
  return { kind: 'other', message: error instanceof Error ? error.stack ?? message : message, detail: '' };
}

function received({ kind, message, detail }: SentError): Error {
  switch (kind) {
    case 'log': return new LogError(detail as LogErrorReason, message);
    case 'fenced': return new WriterFenced(detail);
    case 'ended': return new AppendEnded(detail);
    case 'refused': return new AppendRefused(new ParitasError(detail as ErrorCode, message));
    case 'lost': return new MemberLost();
    case 'known': return new ParitasError(detail as ErrorCode, message);
    case 'other': return new Error(message);
    default: return unreachable(kind);
  }
}

function gone(): LogError {
  return new LogError('closed', 'the log is closed, or who has it is gone');
}
