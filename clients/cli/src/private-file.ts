import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError, UsageError } from './failures.ts';

const ONLY_ME = 0o600;
const FOLDER_ONLY_MINE = 0o700;
const OTHERS = 0o077;

/** Replaces a file atomically, even across a crash. */
export function writePrivateFile(file: string, value: unknown): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: FOLDER_ONLY_MINE });
  chmodSync(folder, FOLDER_ONLY_MINE);
  const fresh = `${file}.${randomUUID()}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(value, undefined, 2)}\n`, { mode: ONLY_ME, flag: 'wx', flush: true });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** @throws UsageError if others can access the file, or if it is not JSON */
export function readPrivateFile(file: string): unknown {
  if (!existsSync(file)) return undefined;
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0)
    throw new UsageError(`Other users can read ${file}. Run chmod 600 ${file}, and rotate the secrets in it.`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError(`${file} is not a valid scs file. Delete it and sign in again.`);
  }
}

/** Exceeds the longest work under a lock, so older locks are abandoned, even if their pid is in use. */
const ABANDONED_AFTER_MS = 10 * 60_000;
const WAIT_MS = 3 * 60_000;
const POLL_MS = 20;

/**
 * Runs work while no other scs process holds the lock.
 * Not proper-lockfile: it recognizes abandoned locks only by age, so a killed process would block the next process
 * for seconds, and a suspended process would lose its lock.
 * @throws CommandError if another process holds the lock too long
 */
export async function withLock<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (const until = performance.now() + WAIT_MS; !tryLock(file); await delay(POLL_MS)) {
    if (performance.now() > until)
      throw new CommandError(`Another scs process holds the lock ${file}. If no scs is running, delete the file.`);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    if (isAbandoned(file)) removeAbandoned(file);
  } catch (error) {
    // The owner released it meanwhile.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  return false;
}

function isAbandoned(file: string): boolean {
  if (Date.now() - statSync(file).mtimeMs > ABANDONED_AFTER_MS) return true;
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

/** Renames first, so that only one process removes an abandoned lock. Restores a lock that turns out to be new. */
function removeAbandoned(file: string): void {
  const claimed = `${file}.${randomUUID()}`;
  renameSync(file, claimed);
  try {
    if (!isAbandoned(claimed)) linkSync(claimed, file);
  } finally {
    rmSync(claimed);
  }
}
