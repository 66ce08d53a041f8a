import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of a process that leads its own session. Linux may divide cores among sessions first, where
 * priorities count only within a session (sched(7), autogroup).
 */
export function yieldCpu(pid: number): void {
  setPriority(pid, PRIORITY);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY));
  } catch {
    // No autogroups on this system.
  }
}
