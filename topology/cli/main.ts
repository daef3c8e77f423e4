// The process: wires the command line to the real streams and the real
// engine, and turns signals and a closed pipe into quiet ends.
import type { Engine } from '../check-types.ts';
import { runCli } from './program.ts';

const stop = new AbortController();
let signals = 0;
let signalCode: number | undefined;
for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
  process.on(signal, () => {
    stop.abort();
    signalCode = code;
    // Asked twice, or the command does not come to an end: leave now. What is registered for exit (temporary state) still runs.
    if (++signals > 1) process.exit(code);
    setTimeout(() => process.exit(code), process.argv[2] === 'run' ? 30_000 : 3000).unref();
  });
}
// The reader has gone (`| head`): there is nobody to tell. What was decided stays the exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const { readFileSync } = await import('node:fs');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
const code = await runCli(process.argv.slice(2), {
  io: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env, cwd: process.cwd(), signal: stop.signal },
  engine: loadEngine,
  version: manifest.version,
});
// After a signal an open standard input must not keep the process; otherwise it ends by itself, once everything is written.
// A command that ends well when it is asked to (`run`) exits with 0.
if (signalCode !== undefined) process.exit(code === 0 ? 0 : signalCode);
process.exitCode = code;

async function loadEngine(): Promise<Engine> {
  const engine: Partial<Engine> = await import('./check-engine.ts');
  const { ParitasError } = await import('../../schemas/errors.ts');
  const later = (name: string) => (): never => { throw new ParitasError('not-built', `"paritas ${name}" is not built yet`); };
  return { runCheck: engine.runCheck ?? later('check'), runReplay: engine.runReplay ?? later('replay'), explainKey: engine.explainKey ?? later('explain') };
}
