// One connection to a broker: requests out, answers in, in their order. An answer is read into one buffer (`onread`): no
// chunks, no joining; its record sets stay views into it. Correlation numbers tie them; TLS and plain are the same here.
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

import { kafkaAnswerBytesMax, kafkaConnectMs, kafkaSmallMessageBytes, kafkaStopMs } from '../../../schemas/limits.ts';
import type { AnswerMemory } from './answer-memory.ts';
import { ConnectionLost } from './kafka-error.ts';
import { CLOSED, noAnswer, whyLost } from './why-lost.ts';

export interface BrokerAddress { readonly host: string; readonly port: number }

/** Header forms of the protocol: flexible (tagged fields), and the two old ones that ApiVersions and SaslHandshake keep. */
export interface RequestForm { readonly api: number; readonly version: number; readonly flexibleRequest?: boolean; readonly flexibleAnswer?: boolean }

/** In one piece, or in several; they are not changed until the answer is there. */
export type RequestBody = Buffer | readonly Buffer[];

/** Reads an answer: `at` is behind its header. */
export type AnswerReader<T> = (data: Buffer, at: number) => T;

interface Pending { readonly form: RequestForm; take(data: Buffer, at: number): void; fail(error: Error): void }

export class Connection {
  readonly broker: string;
  readonly #clientId: Buffer;
  readonly #pending = new Map<number, Pending>();
  readonly #lengthBytes: Buffer = Buffer.alloc(4);
  #socket: Socket | undefined;
  #correlation = 0;
  /** What is being read: the four bytes of a length, or an answer. */
  #target: Buffer = this.#lengthBytes;
  #filled = 0;
  #lost: ConnectionLost | undefined;
  #retired = false;
  readonly #stop: AbortSignal | undefined;
  readonly #memory: AnswerMemory | undefined;
  readonly #hurry = (): void => {
    const waiting = [...this.#pending.keys()];
    setTimeout(() => { if (waiting.some(correlation => this.#pending.has(correlation))) this.#lose(noAnswer(kafkaStopMs)); }, kafkaStopMs).unref();
  };

  /** `stop`: aborted, no answer is waited for any longer than `kafkaStopMs`. `memory`: of the answers, which whoever asks gives back. */
  constructor(address: BrokerAddress, clientId: string, stop?: AbortSignal, memory?: AnswerMemory) {
    this.broker = `${address.host}:${address.port}`;
    this.#clientId = Buffer.from(clientId);
    this.#stop = stop;
    this.#memory = memory;
    stop?.addEventListener('abort', this.#hurry);
  }

  /** Whether to begin anything new on it. */
  get isOpen(): boolean {
    return this.#lost === undefined && !this.#retired;
  }

  /** The broker ends the session after that time: before it, a new connection takes over and this one ends with its last answer. */
  retireAfter(ms: number): void {
    setTimeout(() => {
      this.#retired = true;
      if (this.#pending.size === 0) this.#lose('its session is over');
    }, ms).unref();
  }

  /** Connects; rejects with ConnectionLost, whose message says what to look at. */
  connect({ host, port }: BrokerAddress, tls: ConnectionOptions | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onread = { buffer: () => this.#target.subarray(this.#filled), callback: (bytes: number) => this.#received(bytes) };
    // TLS passes `onread` on, which its types do not say.
    const socket = tls === undefined ? connectPlain({ host, port, noDelay: true, onread }) : connectTls({ host, port, ...tls, onread } as ConnectionOptions);
    this.#socket = socket;
    const timer = setTimeout(() => this.#lose(`no connection within ${kafkaConnectMs} ms; check host, port and firewall`), kafkaConnectMs);
    socket.setNoDelay(true);
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => { clearTimeout(timer); resolve(); });
    socket.on('error', (error: NodeJS.ErrnoException) => this.#lose(whyLost(error, tls !== undefined), error));
    socket.on('close', () => { clearTimeout(timer); this.#lose(CLOSED); reject(this.#lost); });
    return promise;
  }

  /** Sends a request; resolves with what `read` makes of the answer. Rejects with ConnectionLost where none comes in `timeoutMs`. */
  request<T>(form: RequestForm, body: RequestBody, read: AnswerReader<T>, timeoutMs: number): Promise<T> {
    if (this.#lost !== undefined || this.#socket === undefined) return Promise.reject(this.#lost ?? new ConnectionLost(this.broker, 'not connected'));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const correlation = this.#correlation = (this.#correlation + 1) & 0x7fffffff;
    const withinMs = this.#stop?.aborted === true ? Math.min(timeoutMs, kafkaStopMs) : timeoutMs;
    const timer = setTimeout(() => this.#lose(noAnswer(withinMs)), withinMs);
    this.#pending.set(correlation, {
      form,
      take: (data, at) => {
        clearTimeout(timer);
        try {
          resolve(read(data, at));
        } catch (error) {
          reject(error);
        }
      },
      fail: (error) => { clearTimeout(timer); reject(error); },
    });
    this.#send(this.#socket, form, correlation, Buffer.isBuffer(body) ? [body] : body);
    return promise;
  }

  close(): void {
    this.#lose('closed here');
  }

  /** Many bytes are not copied to be one piece. */
  #send(socket: Socket, form: RequestForm, correlation: number, body: readonly Buffer[]): void {
    const bytes = body.reduce((sum, piece) => sum + piece.length, 0);
    const header = this.#header(form, correlation, bytes);
    if (bytes < kafkaSmallMessageBytes) return void socket.write(Buffer.concat([header, ...body]));
    socket.cork();
    for (const piece of [header, ...body]) socket.write(piece);
    socket.uncork();
  }

  #header({ api, version, flexibleRequest = true }: RequestForm, correlation: number, bodyBytes: number): Buffer {
    const header = Buffer.alloc(14 + this.#clientId.length + (flexibleRequest ? 1 : 0));
    header.writeInt32BE(header.length - 4 + bodyBytes, 0);
    header.writeInt16BE(api, 4);
    header.writeInt16BE(version, 6);
    header.writeInt32BE(correlation, 8);
    header.writeInt16BE(this.#clientId.length, 12);
    this.#clientId.copy(header, 14);
    return header;
  }

  #received(bytes: number): boolean {
    this.#filled += bytes;
    if (this.#filled < this.#target.length) return true;
    this.#filled = 0;
    if (this.#target !== this.#lengthBytes) {
      const answer = this.#target;
      this.#target = this.#lengthBytes;
      this.#answered(answer);
      return true;
    }
    const length = this.#lengthBytes.readInt32BE(0);
    if (length >= 4 && length <= kafkaAnswerBytesMax) this.#target = this.#memory?.take(length) ?? Buffer.allocUnsafeSlow(length);
    else this.#lose(this.#lengthBytes[0] === 0x15 && this.#lengthBytes[1] === 3 ? 'it speaks TLS there; set security.protocol to SSL or SASL_SSL' : 'what answers there is no Kafka broker');
    return true;
  }

  #answered(answer: Buffer): void {
    const correlation = answer.readInt32BE(0);
    const pending = this.#pending.get(correlation);
    if (pending === undefined) return this.#lose(`an answer to a request that was not sent (${correlation})`);
    this.#pending.delete(correlation);
    pending.take(answer, pending.form.flexibleAnswer === false ? 4 : afterTags(answer, 4));
    if (this.#retired && this.#pending.size === 0) this.#lose('its session is over');
  }

  #lose(why: string, cause?: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = new ConnectionLost(this.broker, why, cause);
    this.#stop?.removeEventListener('abort', this.#hurry);
    this.#socket?.destroy();
    for (const pending of this.#pending.values()) pending.fail(this.#lost);
    this.#pending.clear();
  }
}

/** The place behind tagged fields that are passed over. */
function afterTags(data: Buffer, at: number): number {
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0, byte = 128; byte > 127; shift += 7) value |= ((byte = data[at++]) & 127) << shift;
    return value;
  };
  for (let count = unsigned(); count > 0; count--) {
    unsigned();
    const bytes = unsigned();
    at += bytes;
  }
  return at;
}

/** As `bootstrap.servers` has it. */
export function addressOf(text: string): BrokerAddress {
  const [, host, port = '9092'] = /^(?:[A-Z_]+:\/\/)?\[?(.*?)\]?(?::(\d+))?$/.exec(text.trim()) ?? [];
  return { host, port: Number(port) };
}
