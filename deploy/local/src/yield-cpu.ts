import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Has a process, which leads a session of its own, leave the cores to others. Linux may share them out among sessions
 * first, and priorities count within a session alone (sched(7), autogroup).
 */
export function yieldCpu(pid: number): void {
  setPriority(pid, PRIORITY);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY));
  } catch {
    // It does not, or is no Linux.
  }
}
