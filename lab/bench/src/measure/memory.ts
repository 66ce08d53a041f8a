import { readFileSync } from 'node:fs';
import { listProcessIds } from './cpu.ts';

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
