// Temporary directories go when the process does: at its exit (also by an exception), and at a signal that nobody else handles.
import { rmSync } from 'node:fs';

const paths = new Set<string>();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes `path` at the end of the process, or when the returned function is called. */
export function removeAtExit(path: string): () => void {
  if (paths.size === 0) listen();
  paths.add(path);
  return () => {
    if (!paths.delete(path)) return;
    if (paths.size === 0) unlisten();
    remove(path);
  };
}

function listen(): void {
  process.on('exit', removeAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function unlisten(): void {
  process.off('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

/** With another handler there, that one ends the process and `exit` follows. Alone, we clean up and let the signal do its work. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  unlisten();
  process.kill(process.pid, signal);
}

function removeAll(): void {
  for (const path of paths) remove(path);
  paths.clear();
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch { /* nobody is left to tell; the next temporary directory sweeps it away */ }
}
