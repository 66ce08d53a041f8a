import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { BackendError } from './errors.ts';

/** User that runs the servers. Without `ids` it is the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly ids?: { readonly uid: number; readonly gid: number };
}

const SYSTEM_USER = 'saleschannel';
/** useradd fails while another useradd holds the password file, which takes milliseconds. */
const USERADD_ATTEMPTS = 20;
const USERADD_PAUSE_MS = 100;

const numericId = (flag: '-u' | '-g'): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
};

const findSystemUser = (): ServerUser | undefined => {
  const uid = numericId('-u');
  const gid = numericId('-g');
  return uid === undefined || gid === undefined ? undefined : { name: SYSTEM_USER, ids: { uid, gid } };
};

/**
 * Returns the user of the servers. PostgreSQL refuses to run as root, so for root it is the system user 'saleschannel',
 * created if missing. For any other user it is the same user.
 */
export async function findServerUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { name: userInfo().username };
  let reason = '';
  for (let attempt = 0; attempt < USERADD_ATTEMPTS; attempt += 1) {
    const known = findSystemUser();
    if (known) return known;
    const created = spawnSync(
      'useradd',
      [
        '--system',
        '--user-group',
        '--no-create-home',
        '--home-dir',
        '/nonexistent',
        '--shell',
        '/usr/sbin/nologin',
        SYSTEM_USER,
      ],
      { encoding: 'utf8' },
    );
    if (created.error) reason = created.error.message;
    else if (created.status === 0) continue;
    else reason = created.stderr.trim();
    await delay(USERADD_PAUSE_MS);
  }
  throw new BackendError(
    `The servers cannot run as root, and the system user '${SYSTEM_USER}' could not be created (${reason}). ` +
      `Create it, run as another user, or set DATABASE_URL and AMQP_URL to servers of your own.`,
  );
}

/** Makes the servers' user own a file or folder that this process created. */
export const changeOwner = (path: string, user: ServerUser): void => {
  if (user.ids) chownSync(path, user.ids.uid, user.ids.gid);
};

/** Returns options of `spawn` that run a child as the servers' user. */
export const runAs = (user: ServerUser): { uid?: number; gid?: number } => ({ ...user.ids });
