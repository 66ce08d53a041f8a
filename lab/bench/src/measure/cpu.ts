import { globSync, readFileSync } from 'node:fs';

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
export const listProcessIds = (pid: number): number[] => listProcessTree(pid).map((stat) => stat.pid);

/** CPU microseconds of a process and its descendants since their start. */
export const readCpu = (pid: number): number =>
  listProcessTree(pid).reduce((sum, stat) => sum + stat.ticks * MICROSECONDS_PER_TICK, 0);
