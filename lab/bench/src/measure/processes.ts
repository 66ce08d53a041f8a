import type { Stack } from '@saleschannel/local';
import { readCpu } from './cpu.ts';

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
