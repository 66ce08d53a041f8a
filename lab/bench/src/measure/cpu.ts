import { globSync, readFileSync } from 'node:fs';

/** CPU time of processes, from /proc. Ticks are hundredths of a second on every Linux that Node runs on. */
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
    // Fields 14 to 17: own and waited-for children's user and system time. A backend that ended is in its parent's.
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { pid: Number(text.split(' ', 1)[0]), parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}

/** A process and all below it. */
function familyOf(pid: number): Stat[] {
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

/** The ids of a process and all below it. */
export const familyIdsOf = (pid: number): number[] => familyOf(pid).map((stat) => stat.pid);

/** CPU microseconds of a process and all below it, since they began. */
export const cpuOf = (pid: number): number =>
  familyOf(pid).reduce((sum, stat) => sum + stat.ticks * MICROSECONDS_PER_TICK, 0);
