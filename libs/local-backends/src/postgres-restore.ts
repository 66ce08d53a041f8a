import { chmodSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { BackendError } from './errors.ts';
import { startPostgres } from './postgres.ts';
import type { PostgresOptions, RunningPostgres } from './postgres.ts';
import { changeTreeOwner, ensureReachableFolder } from './reachable.ts';
import { findServerUser } from './system-user.ts';

export interface RestoreOptions extends PostgresOptions {
  /** Data folder of a base backup. Unchanged by the restore. */
  readonly backup: string;
  /** The superuser's password at the time of the backup. */
  readonly password: string;
  /** Folder of the archived log. */
  readonly archive: string;
  /** Time of the last commit to restore. Default: everything in the archive. */
  readonly until?: Date;
}

export interface Restored {
  readonly server: RunningPostgres;
  /** Commit time of the last restored transaction. */
  readonly lastCommitAt: Date | undefined;
  readonly copySeconds: number;
  readonly recoverySeconds: number;
}

const RECOVERY_TIMEOUT_MS = 600_000;
const POLL_MS = 100;

/** Restores a base backup into a new data folder, and starts a server that replays the archived log up to a time. */
export async function restorePostgres({
  backup,
  password,
  archive,
  until,
  ...options
}: RestoreOptions): Promise<Restored> {
  const user = await findServerUser();
  const folder = ensureReachableFolder(options.dataDirectory, user);
  if (existsSync(join(folder, 'data'))) throw new BackendError(`${folder} already contains data.`);
  const began = performance.now();
  cpSync(backup, join(folder, 'data'), { recursive: true });
  chmodSync(join(folder, 'data'), 0o700);
  writeFileSync(join(folder, 'password'), password, { mode: 0o600 });
  // pg_basebackup writes this file to verify a backup. It is not part of a server's data.
  rmSync(join(folder, 'data', 'backup_manifest'), { force: true });
  writeFileSync(join(folder, 'data', 'recovery.signal'), '');
  changeTreeOwner(folder, user);
  const copied = performance.now();
  const server = await startPostgres({
    ...options,
    settings: {
      ...options.settings,
      // The restored server has a new log, which needs another archive.
      archive_mode: 'off',
      // pg_receivewal keeps the current segment under another file name.
      restore_command: `cp '${archive}/%f' '%p' 2>/dev/null || cp '${archive}/%f.partial' '%p' 2>/dev/null`,
      ...(until ? { recovery_target_time: formatTime(until), recovery_target_action: 'promote' } : {}),
    },
  });
  try {
    const lastCommitAt = await waitUntilPromoted(server);
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

/** While the server reads its settings, it knows no abbreviation of a time zone, not even Z. */
const formatTime = (time: Date): string => time.toISOString().replace('Z', '+00');

async function waitUntilPromoted({ url }: RunningPostgres): Promise<Date | undefined> {
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
