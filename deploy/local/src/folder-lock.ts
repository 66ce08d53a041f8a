import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackendError } from '@saleschannel/local-backends';

const fileIn = (folder: string): string => join(folder, 'stack.pid');

/** Process that runs a stack in the folder, if any. */
function holderOf(folder: string): number | undefined {
  const file = fileIn(folder);
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8'));
  try {
    process.kill(pid, 0);
    // After a reboot the id may belong to another program.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('start.ts') ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** @throws BackendError while a stack runs in the folder */
export function assertNotRunning(folder: string): void {
  const pid = holderOf(folder);
  if (pid !== undefined)
    throw new BackendError(
      `The stack of this checkout is running (process ${pid}). Stop it first, with Ctrl-C or kill ${pid}.`,
    );
}

/**
 * Locks the folder for this process.
 * @returns a function that unlocks it
 * @throws BackendError while another stack runs in it
 */
export function lockFolder(folder: string): () => void {
  assertNotRunning(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), String(process.pid));
  return () => rmSync(fileIn(folder), { force: true });
}
