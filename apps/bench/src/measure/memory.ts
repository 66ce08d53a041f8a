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
