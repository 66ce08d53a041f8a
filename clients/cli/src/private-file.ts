import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './context.ts';

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
  if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0) {
    throw new UsageError(`Other users can read ${file}. Run chmod 600 ${file}, and rotate the secrets in it.`);
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError(`${file} is not a valid scs file. Delete it and sign in again.`);
  }
}
