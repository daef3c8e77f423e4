// Run before `npm start` and `npm test`: installs what package-lock.json says, where that has not been done yet. Plain JavaScript, because
// it must run on whatever Node the machine has; the Node that the product needs is one of the packages it installs.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function changedMs(path) {
  return statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs;
}

// npm writes this file at the end of an install; a folder without it was left half done.
const installedMs = changedMs('node_modules/.package-lock.json');
const lockedMs = changedMs('package-lock.json');
if (installedMs === undefined || lockedMs === undefined || installedMs < lockedMs) {
  console.error(`install: ${installedMs === undefined ? 'node_modules is not there yet' : 'package-lock.json is newer than node_modules'}, running npm ci`);
  const isWindows = process.platform === 'win32';
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status, error } = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit', shell: isWindows && npm === undefined });
  if (status !== 0) {
    console.error(`install: npm ci failed${error === undefined ? '' : ` (${error.message})`}; it needs the registry once`);
    process.exit(status ?? 1);
  }
} else {
  console.error('install: node_modules is up to date');
}
