import { globSync, readFileSync } from 'node:fs';
import type { Stack } from '@saleschannel/local';

/** CPU time of processes, from /proc. A tick is a hundredth of a second on every Linux that Node runs on. */
const MICROSECONDS_PER_TICK = 10_000;

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
}

function readStat(file: string): Stat | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Fields 14 to 17: user and system time of the process and of its waited-for children. A backend that ended counts
    // in its parent's.
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { pid: Number(text.split(' ', 1)[0]), parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** A process and its descendants. */
function listProcessTree(pid: number): Stat[] {
  const stats = globSync('/proc/[0-9]*/stat').flatMap((file) => readStat(file) ?? []);
  const members = new Set([pid]);
  for (let grown = true; grown;) {
    grown = false;
    for (const stat of stats) {
      if (members.has(stat.parent) && !members.has(stat.pid)) {
        members.add(stat.pid);
        grown = true;
      }
    }
  }
  return stats.filter((stat) => members.has(stat.pid));
}

/** Ids of a process and its descendants. */
const listProcessIds = (pid: number): number[] => listProcessTree(pid).map((stat) => stat.pid);

/** CPU microseconds of a process and its descendants since their start. */
export const readCpu = (pid: number): number =>
  listProcessTree(pid).reduce((sum, stat) => sum + stat.ticks * MICROSECONDS_PER_TICK, 0);

const BYTES_PER_KIB = 1_024;

/** Current resident bytes of a process, from /proc. 0 if it has ended. */
export function readResident(pid: number): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) * BYTES_PER_KIB;
  } catch {
    return 0;
  }
}

/** Current bytes of a process and its descendants, with a proportional part of shared pages (PSS). */
export const readProportional = (pid: number): number =>
  listProcessIds(pid).reduce((sum, each) => sum + readPss(each), 0);

function readPss(pid: number): number {
  try {
    const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kib ?? 0) * BYTES_PER_KIB;
  } catch {
    return 0;
  }
}

const LOOK_EVERY_MS = 20;

/** Maximum resident bytes of each process during the work, sampled periodically. */
export async function measureResident(pids: readonly number[], work: () => Promise<unknown>): Promise<number[]> {
  const most = pids.map(readResident);
  const sample = (): void =>
    pids.forEach((pid, index) => (most[index] = Math.max(most[index] ?? 0, readResident(pid))));
  const looking = setInterval(sample, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  return most;
}

/** CPU microseconds by process, for all parts of a system. */
export type CpuTimes = Readonly<Record<string, number>>;

/** Processes of the stack that run on this machine. */
export const listProcesses = ({
  processes,
  databasePid,
  brokerPid,
}: Stack): { readonly name: string; readonly pid: number }[] =>
  [...processes, { name: 'postgresql', pid: databasePid }, { name: 'rabbitmq', pid: brokerPid }].flatMap(
    ({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]),
  );

/**
 * CPU microseconds of each process of the stack during the work, and of this process as `load`. Other child processes
 * are not included.
 */
export async function measureCpu<T>(
  stack: Stack,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpu: CpuTimes }> {
  const processes = listProcesses(stack).map((each) => ({ ...each, before: readCpu(each.pid) }));
  const own = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(own);
  const used = processes.map(({ name, pid, before }) => [name, readCpu(pid) - before] as const);
  return { result, cpu: { ...Object.fromEntries(used), load: user + system } };
}

/** CPU time per operation, by process. */
export const cpuPerOperation = (cpu: CpuTimes, operations: number): CpuTimes =>
  Object.fromEntries(Object.entries(cpu).map(([name, used]) => [name, used / operations]));

/** CPU time of all processes except the load. */
export const sumSystemCpu = (cpu: CpuTimes): number =>
  Object.entries(cpu).reduce((sum, [name, each]) => (name === 'load' ? sum : sum + each), 0);
