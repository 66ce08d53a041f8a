import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const readOrEmpty = (read: () => string): string => {
  try {
    return read();
  } catch {
    return ''; // ended meanwhile
  }
};

/** Lists processes that work in the folder or name it in command or environment, as 'pid command'. No zombies. */
export function listProcesses(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = readOrEmpty(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
      const environment = readOrEmpty(() => readFileSync(`/proc/${pid}/environ`, 'latin1'));
      const cwd = readOrEmpty(() => readlinkSync(`/proc/${pid}/cwd`));
      return `${command}\0${environment}\0${cwd}`.includes(folder)
        ? [`${pid} ${command.replaceAll('\0', ' ').slice(0, 120)}`]
        : [];
    });
}

/** Resolves when the condition holds, for conditions without an event. The test's own timeout is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}
