import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { BackendError } from './errors.ts';

/** Whom the servers run as. Without ids: as the user of this process. */
export interface ServerUser {
  readonly name: string;
  readonly ids?: { readonly uid: number; readonly gid: number };
}

const SYSTEM_USER = 'saleschannel';
/** useradd fails at once while another useradd holds the password file. That one takes milliseconds. */
const USERADD_ATTEMPTS = 20;
const USERADD_PAUSE_MS = 100;

const numericId = (flag: '-u' | '-g'): number | undefined => {
  const { status, stdout } = spawnSync('id', [flag, SYSTEM_USER], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
};

const lookUp = (): ServerUser | undefined => {
  const uid = numericId('-u');
  const gid = numericId('-g');
  return uid === undefined || gid === undefined ? undefined : { name: SYSTEM_USER, ids: { uid, gid } };
};

/**
 * PostgreSQL refuses to run as root. So for root the servers run as the system user 'saleschannel', created when it is
 * missing. Everybody else runs them as themselves.
 */
export async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return { name: userInfo().username };
  let complaint = '';
  for (let attempt = 0; attempt < USERADD_ATTEMPTS; attempt += 1) {
    const known = lookUp();
    if (known) return known;
    const made = spawnSync(
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
    if (made.error) complaint = made.error.message;
    else if (made.status === 0) continue;
    else complaint = made.stderr.trim();
    await delay(USERADD_PAUSE_MS);
  }
  throw new BackendError(
    `The servers cannot run as root, and the system user '${SYSTEM_USER}' could not be created (${complaint}). ` +
      `Create it, run as another user, or set DATABASE_URL and AMQP_URL to servers of your own.`,
  );
}

/** Gives a file or folder that this process made to the servers' user. */
export const giveTo = (path: string, user: ServerUser): void => {
  if (user.ids) chownSync(path, user.ids.uid, user.ids.gid);
};

/** The part of spawn's options that makes a child run as the servers' user. */
export const runAs = (user: ServerUser): { uid?: number; gid?: number } => ({ ...user.ids });
