// Which package has RocksDB for a machine. A package is asked only where its binary is known to run: the one of @nxtedition/rocksdb ends the process
// (SIGILL) on a processor without the instructions that it was built with, and no catch helps.
import { readFileSync } from 'node:fs';

/** In the order of preference: the first is twice as fast at small reads, and is the one that the measurements of README.md were made with. */
export const ROCKSDB_PACKAGES = ['nxtedition-rocksdb', 'rocksdb-native'] as const;
export type RocksdbPackage = (typeof ROCKSDB_PACKAGES)[number];
/** `auto`: the first that this machine can load. */
export type RocksdbChoice = RocksdbPackage | 'auto';

export interface Machine {
  /** As `process.platform` and `process.arch` have them. */
  readonly platform: string;
  readonly arch: string;
  /** Version of glibc, `2.36`; undefined where there is none (musl, not Linux). */
  readonly glibc: string | undefined;
  /** Of the instructions that matter those that the processor lacks; empty where the system does not say. */
  readonly lacks: readonly string[];
}

const GLIBC_NEEDED = '2.34';
const INSTRUCTIONS = ['avx2', 'bmi2', 'fma'];
const NATIVE_ON = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

export function thisMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, glibc: platform === 'linux' ? glibcVersion() : undefined, lacks: platform === 'linux' && arch === 'x64' ? lackingInstructions() : [] };
}

/** The packages that have a binary for this machine. */
export function packagesHere(machine: Machine = thisMachine()): RocksdbPackage[] {
  return ROCKSDB_PACKAGES.filter(name => whyNot(name, machine) === undefined);
}

/** Why the package has no binary for the machine; undefined: it has one. */
export function whyNot(name: RocksdbPackage, machine: Machine): string | undefined {
  const place = `${machine.platform}-${machine.arch}`;
  if (name === 'nxtedition-rocksdb') {
    if (place === 'darwin-arm64') return undefined;
    if (place !== 'linux-x64') return `has binaries for linux-x64 and darwin-arm64, not for ${place}`;
    if (machine.lacks.length > 0) return `needs a processor with ${machine.lacks.join(', ')}`;
  } else if (!NATIVE_ON.includes(place)) return `has no binary for ${place}`;
  return machine.platform === 'linux' ? whyNotLinux(machine) : undefined;
}

function whyNotLinux({ glibc }: Machine): string | undefined {
  if (glibc === undefined) return 'needs glibc, and this system has another C library (musl: Alpine)';
  return isOlder(glibc, GLIBC_NEEDED) ? `needs glibc ${GLIBC_NEEDED} or newer (Debian 12, Ubuntu 22.04), and this is ${glibc}` : undefined;
}

export function describeMachine({ platform, arch, glibc }: Machine): string {
  return `${platform}-${arch}${platform !== 'linux' ? '' : glibc === undefined ? ' without glibc' : ` with glibc ${glibc}`}`;
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorNeeded = 0, minorNeeded = 0] = than.split('.').map(Number);
  return major < majorNeeded || (major === majorNeeded && minor < minorNeeded);
}

function glibcVersion(): string | undefined {
  // Without its list of network interfaces, which may ask a name server.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}

function lackingInstructions(): string[] {
  try {
    const flags = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'latin1'))?.[1].trim().split(/\s+/) ?? INSTRUCTIONS;
    return INSTRUCTIONS.filter(name => !flags.includes(name));
  } catch {
    return [];
  }
}
