import { readFileSync } from 'node:fs';

const BYTES_PER_KIB = 1_024;

/** Resident bytes of a process now, from /proc. 0 of one that has ended. */
export function residentOf(pid: number): number {
  try {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) * BYTES_PER_KIB;
  } catch {
    return 0;
  }
}

/** Bytes of a process now (PSS): pages that it shares with others count in part. 0 of one that has ended. */
export function proportionalOf(pid: number): number {
  try {
    const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kib ?? 0) * BYTES_PER_KIB;
  } catch {
    return 0;
  }
}

const LOOK_EVERY_MS = 20;

/** The most bytes that each process holds during the work, looked at every so often. */
export async function residentDuring(pids: readonly number[], work: () => Promise<unknown>): Promise<number[]> {
  const most = pids.map(residentOf);
  const look = (): void => pids.forEach((pid, index) => (most[index] = Math.max(most[index] ?? 0, residentOf(pid))));
  const looking = setInterval(look, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  return most;
}
