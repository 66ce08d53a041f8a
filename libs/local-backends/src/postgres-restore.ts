import { chmodSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { BackendError } from './errors.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresOptions, RunningPostgres } from './postgres.ts';
import { giveTreeTo, reachableFolder } from './reachable.ts';
import { serverUser } from './system-user.ts';

export interface RestoreOptions extends PostgresOptions {
  /** The data folder of a base backup. It stays as it is. */
  readonly backup: string;
  /** Of the superuser, as it was when the backup was made. */
  readonly password: string;
  /** The folder with the archived log. */
  readonly archive: string;
  /** The last moment whose commits are wanted. Without it: all that the archive has. */
  readonly until?: Date;
}

export interface Restored {
  readonly server: RunningPostgres;
  /** When the last transaction that was restored had been committed. */
  readonly lastCommitAt: Date | undefined;
  readonly copySeconds: number;
  readonly recoverySeconds: number;
}

const RECOVERY_TIMEOUT_MS = 600_000;
const POLL_MS = 100;

/** Puts a base backup into a new data folder, and has a server bring it to a moment by the archived log. */
export async function restorePostgres({
  backup,
  password,
  archive,
  until,
  ...options
}: RestoreOptions): Promise<Restored> {
  const user = await serverUser();
  const folder = reachableFolder(options.dataDirectory, user);
  if (existsSync(join(folder, 'data'))) throw new BackendError(`${folder} already contains data.`);
  const began = performance.now();
  cpSync(backup, join(folder, 'data'), { recursive: true });
  chmodSync(join(folder, 'data'), 0o700);
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
  // What pg_basebackup leaves for another base backup to be checked by.
  rmSync(join(folder, 'data', 'backup_manifest'), { force: true });
  writeFileSync(join(folder, 'data', 'recovery.signal'), '');
  giveTreeTo(folder, user);
  const copied = performance.now();
  const server = await startPostgres({
    ...options,
    settings: {
      ...options.settings,
      // The restored server goes on with a log of its own, which needs another archive.
      archive_mode: 'off',
      // What pg_receivewal has of the segment that was being written is a file of another name.
      restore_command: `cp '${archive}/%f' '%p' 2>/dev/null || cp '${archive}/%f.partial' '%p' 2>/dev/null`,
      ...(until ? { recovery_target_time: timeText(until), recovery_target_action: 'promote' } : {}),
    },
  });
  try {
    const lastCommitAt = await untilPromoted(server);
    return {
      server,
      lastCommitAt,
      copySeconds: (copied - began) / 1_000,
      recoverySeconds: (performance.now() - copied) / 1_000,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** While the server reads its settings it knows no abbreviation of a time zone, not even Z. */
const timeText = (time: Date): string => time.toISOString().replace('Z', '+00');

async function untilPromoted({ url }: RunningPostgres): Promise<Date | undefined> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const deadline = Date.now() + RECOVERY_TIMEOUT_MS; ; await delay(POLL_MS)) {
      const { rows } = await client.query<{ recovering: boolean; last: Date | null }>(
        'select pg_is_in_recovery() as recovering, pg_last_xact_replay_timestamp() as last',
      );
      if (rows[0]?.recovering === false) return rows[0].last ?? undefined;
      if (Date.now() > deadline) throw new BackendError('The archive was not replayed within ten minutes.');
    }
  } finally {
    await client.end();
  }
}
