// What `doctor` says of one thing it looked at.
import { classify, ERROR_CODES } from '../../schemas/errors.ts';

export interface Finding {
  readonly record: 'finding';
  readonly check: string;
  /** A topic, a broker, a group, a side of a pair. */
  readonly subject: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do; a command where there is one. */
  readonly remedy?: string;
  /** Of a failure: as `run` would exit for it. */
  readonly exitCode: number;
}

export function ok(check: string, subject: string, text: string): Finding {
  return { record: 'finding', check, subject, state: 'ok', text, exitCode: 0 };
}

export function warn(check: string, subject: string, text: string, remedy: string): Finding {
  return { record: 'finding', check, subject, state: 'warn', text, remedy, exitCode: 0 };
}

export function fail(check: string, subject: string, text: string, remedy: string | undefined, code: 'config' | 'unreachable' | 'not-authorised' = 'config'): Finding {
  return { record: 'finding', check, subject, state: 'fail', text, ...(remedy === undefined ? {} : { remedy }), exitCode: ERROR_CODES[code].exitCode };
}

/** What cannot be looked at is a finding too: the message tells what to do. */
export async function looking(check: string, subject: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const { message, exitCode } = classify(error);
    return [{ record: 'finding', check, subject, state: 'fail', text: message, exitCode }];
  }
}

/** 2 before 4 before 5; 0 where nothing fails. */
export function exitCodeOf(findings: readonly Finding[]): number {
  const codes = findings.filter(({ state }) => state === 'fail').map(({ exitCode }) => exitCode);
  return codes.length === 0 ? 0 : Math.min(...codes);
}
