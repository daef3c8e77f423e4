// Whoever imports this in a service's process has it started again, in its place, with settings that can only be given to a process from outside:
// what it has freed goes back to the system. Same process id, terminal and signals; a worker thread has what its process has. Plain JavaScript, as paritas.mjs.
//
// glibc raises, with each large block that is freed, the size from which it gives one back: up to 32 MB. What lies below stays in its heap, between
// blocks of RocksDB that live on: 1.5 MB a minute. Set from outside the size stays as it is. And it is below the 64 KiB of which Node cuts its
// Buffers: with 128 KiB, where glibc begins, 28 of 72 MB in the heap were free after six minutes, and RSS grew all the same where the machine was
// busy. One arena for all threads (MALLOC_ARENA_MAX=1) holds less still, and cost a tenth of the events per CPU-second.
const THRESHOLDS = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '65536' };
/** V8's young generation goes up to 64 MB and down again in steps: half of it does, for no object is made for a record. */
const V8_FLAGS = ['--max-semi-space-size=16'];

const { env, execArgv, argv, execPath } = process;

if (isGlibc() && !isChosen() && process.execve !== undefined && process.send === undefined) {
  const flags = [...execArgv, env.NODE_OPTIONS ?? ''].some(one => one.includes('semi-space-size')) ? [] : V8_FLAGS;
  process.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], { ...env, ...THRESHOLDS });
}

/** By the operator: one of the sizes, or another allocator. */
function isChosen() {
  return Object.keys(THRESHOLDS).some(name => env[name] !== undefined) || /glibc\.malloc\.(mmap|trim)_threshold/.test(env.GLIBC_TUNABLES ?? '') || (env.LD_PRELOAD ?? '').includes('malloc');
}

function isGlibc() {
  if (process.platform !== 'linux') return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}
