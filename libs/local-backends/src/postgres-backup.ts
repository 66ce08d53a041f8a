import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  opendirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  cpSync,
  existsSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { BackendError } from './errors.ts';
import { startPostgres, type PostgresOptions, type RunningPostgres } from './postgres.ts';
import { changeTreeOwner, ensureReachableFolder } from './reachable.ts';
import { findServerUser } from './system-user.ts';

interface RestoreOptions extends PostgresOptions {
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

export interface BackupOptions {
  /** The superuser's URL of the running server. */
  readonly url: string;
  /** The server's folder, as for `startPostgres`. */
  readonly directory: string;
  /** Folder to create, for `startPostgres`. */
  readonly to: string;
}

/** Files of the running server only. */
const skippedFiles = new Set(['postmaster.pid', 'postmaster.opts']);
/** Folders copied without contents. The log that a backup needs comes from the archive or the primary. */
const emptyFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
/** Holds the position where recovery starts, so it is copied last. */
const CONTROL_FILE = 'pg_control';

/**
 * Copies a running server as a base backup. Uses PostgreSQL's low-level functions, because npm's binaries have no
 * pg_basebackup. The backup is useless without the log of its time, which an archive must have.
 */
export async function takeBaseBackup({ url, directory, to }: BackupOptions): Promise<void> {
  const user = await findServerUser();
  const from = ensureReachableFolder(directory, user);
  const target = ensureReachableFolder(to, user);
  const data = join(target, 'data');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Start and stop need the same session, because a backup ends with its session.
    await client.query(`select pg_backup_start('saleschannel', true)`);
    copyFolder(join(from, 'data'), data, true);
    copyFileSync(join(from, 'data', 'global', CONTROL_FILE), join(data, 'global', CONTROL_FILE));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    if (!rows[0]) throw new BackendError('The backup returned no label.');
    writeFileSync(join(data, 'backup_label'), rows[0].labelfile, { mode: 0o600 });
  } finally {
    await client.end();
  }
  copyFileSync(join(from, 'password'), join(target, 'password'));
  changeTreeOwner(target, user);
}

/** @throws BackendError if the target exists */
function copyFolder(from: string, to: string, isData = false): void {
  try {
    mkdirSync(to, { mode: 0o700 });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new BackendError(`${to} already exists.`) : error;
  }
  const folder = opendirSync(from);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)];
      if (isData && skippedFiles.has(entry.name)) continue;
      if (isData && emptyFolders.has(entry.name)) mkdirSync(copy, { mode: 0o700 });
      else if (entry.isDirectory()) copyFolder(source, copy);
      else if (entry.name !== CONTROL_FILE) unlessGone(() => copyEntry(source, copy, entry.isSymbolicLink()));
    }
  } finally {
    folder.closeSync();
  }
}

const copyEntry = (source: string, copy: string, isLink: boolean): void =>
  isLink ? symlinkSync(readlinkSync(source), copy) : copyFileSync(source, copy);

/** A running server removes files at any time. The log records it. */
function unlessGone(copy: () => void): void {
  try {
    copy();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export interface StandbyOptions {
  /** The superuser's URL of the running primary. */
  readonly primaryUrl: string;
  /** The primary's folder, as for `startPostgres`. */
  readonly primaryDirectory: string;
  /** Folder to create, for `startPostgres`. */
  readonly dataDirectory: string;
}

/**
 * Copies a running primary, to be started as its hot standby by streaming replication. The standby fetches the log by
 * itself, from the start of the backup.
 */
export async function copyForStandby({ primaryUrl, primaryDirectory, dataDirectory }: StandbyOptions): Promise<void> {
  await takeBaseBackup({ url: primaryUrl, directory: primaryDirectory, to: dataDirectory });
  const user = await findServerUser();
  const folder = ensureReachableFolder(dataDirectory, user);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${toConninfo(primaryUrl)}'\n`);
  changeTreeOwner(folder, user);
}

function toConninfo(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
}
