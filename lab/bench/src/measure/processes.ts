import type { Stack } from '@saleschannel/local';
import { cpuOf } from './cpu.ts';

/** CPU microseconds by process, of everything that a system consists of. */
export type CpuTimes = Readonly<Record<string, number>>;

/** What the stack consists of, as far as it runs here. */
export const processesOf = ({
  processes,
  databasePid,
  brokerPid,
}: Stack): { readonly name: string; readonly pid: number }[] =>
  [...processes, { name: 'postgresql', pid: databasePid }, { name: 'rabbitmq', pid: brokerPid }].flatMap(
    ({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]),
  );

/**
 * CPU microseconds of each process of the stack during the work, and of this one, which makes the load, as `load`.
 * What this process has started besides the stack is left out.
 */
export async function cpuDuring<T>(
  stack: Stack,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpu: CpuTimes }> {
  const processes = processesOf(stack).map((each) => ({ ...each, before: cpuOf(each.pid) }));
  const own = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(own);
  const used = processes.map(({ name, pid, before }) => [name, cpuOf(pid) - before] as const);
  return { result, cpu: { ...Object.fromEntries(used), load: user + system } };
}

/** CPU time of each process by operation. */
export const cpuEach = (cpu: CpuTimes, operations: number): CpuTimes =>
  Object.fromEntries(Object.entries(cpu).map(([name, used]) => [name, used / operations]));

/** All CPU time but that of the load. */
export const ofSystem = (cpu: CpuTimes): number =>
  Object.entries(cpu).reduce((sum, [name, each]) => (name === 'load' ? sum : sum + each), 0);
