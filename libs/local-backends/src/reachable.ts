import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BackendError } from './errors.ts';
import { changeOwner, runAs, findServerUser } from './system-user.ts';
import type { ServerUser } from './system-user.ts';

/**
 * Parent of folders that the servers' user could not reach otherwise. It survives a reboot, and every user may enter
 * it.
 */
const SHARED_FOLDER = '/var/tmp';

/** Runs a shell test as the user, so that modes, groups and access lists all count. */
const userPasses = (test: string, path: string, user: ServerUser): boolean =>
  spawnSync('/bin/sh', ['-c', test, 'test', path], { ...runAs(user), cwd: '/', stdio: 'ignore' }).status === 0;

const canEnter = (folder: string, user: ServerUser): boolean => userPasses('cd "$1"', folder, user);
export const canExecute = (file: string, user: ServerUser): boolean =>
  userPasses('test -r "$1" && test -x "$1"', file, user);
export const canRead = (file: string, user: ServerUser): boolean => userPasses('test -r "$1"', file, user);

/** Makes a path absolute and resolves symbolic links of its existing part, so that a folder has one name. */
function toCanonicalPath(path: string): string {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  if (existsSync(absolute)) return realpathSync(absolute);
  return parent === absolute
    ? absolute
    : join(toCanonicalPath(parent), absolute.slice(parent === '/' ? 1 : parent.length + 1));
}

/** Creates a folder that only the servers' user may enter. Fails if another user's folder has this name. */
function makeOwnFolder(folder: string, user: ServerUser): void {
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 });
    changeOwner(folder, user);
  }
  const { uid } = lstatSync(folder);
  const expected = user.ids?.uid ?? process.getuid?.();
  if (expected !== undefined && uid !== expected) {
    throw new BackendError(
      `The folder ${folder} does not belong to '${user.name}', the user of the servers. ` +
        'Remove it, or give it to that user.',
    );
  }
}

/**
 * Returns the folder for a server's data: the requested one if the servers' user can reach it. A checkout below /root
 * (mode 700) is out of its reach, so the folder is below /var/tmp and the requested path is a symbolic link to it.
 * @returns the real path, existing, mode 700, owned by the servers' user
 */
export function ensureReachableFolder(requested: string, user: ServerUser): string {
  const path = toCanonicalPath(requested);
  mkdirSync(dirname(path), { recursive: true });
  if (canEnter(dirname(path), user)) {
    makeOwnFolder(path, user);
    return path;
  }
  if (existsSync(path)) {
    throw new BackendError(
      `The user '${user.name}' cannot reach the folder ${path}: a folder above it is closed to others. ` +
        'Open or delete it.',
    );
  }
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  const elsewhere = join(SHARED_FOLDER, `saleschannel-${name}`);
  makeOwnFolder(elsewhere, user);
  rmSync(path, { force: true }); // a link whose target was cleaned away
  symlinkSync(elsewhere, path);
  return elsewhere;
}

/** Creates an empty temporary folder that only the servers' user may enter. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'saleschannel-'));
  changeOwner(folder, await findServerUser());
  return folder;
}

/** Deletes a data folder, including the target of a symbolic link. The server must be stopped. */
export function removeFolder(path: string): void {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (!link) return;
  if (link.isSymbolicLink() && existsSync(path)) rmSync(realpathSync(path), { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}

/** Makes the servers' user own a whole tree. */
export function changeTreeOwner(folder: string, user: ServerUser): void {
  changeOwner(folder, user);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) changeOwner(join(entry.parentPath, entry.name), user);
  }
}
