import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failed } from './context.ts';

/** Longer than the longest work under a lock. One that is older was left behind, whoever it names. */
const LEFT_BEHIND_MS = 10 * 60_000;
const WAIT_MS = 3 * 60_000;
const LOOK_MS = 20;

/**
 * Does something while no other scs does anything under the same lock.
 * @throws Failed when another one takes too long
 */
export async function withLock<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (const until = performance.now() + WAIT_MS; !take(file); await delay(LOOK_MS)) {
    if (performance.now() > until)
      throw new Failed(`Another scs process holds the lock ${file}. If no scs is running, delete the file.`);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

function take(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    if (isLeftBehind(file)) remove(file);
  } catch (error) {
    // It was given back meanwhile.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return false;
}

function isLeftBehind(file: string): boolean {
  if (Date.now() - statSync(file).mtimeMs > LEFT_BEHIND_MS) return true;
  const [, pid, host] = /^(\d+) (.+)$/.exec(readFileSync(file, 'utf8')) ?? [];
  return pid !== undefined && host === hostname() && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Of several that find it left behind one gets it. Should that be a new one already, it is put back. */
function remove(file: string): void {
  const found = `${file}.${randomUUID()}`;
  renameSync(file, found);
  try {
    if (!isLeftBehind(found)) linkSync(found, file);
  } finally {
    rmSync(found);
  }
}
