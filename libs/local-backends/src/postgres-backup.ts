import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  opendirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { BackendError } from './errors.ts';
import { changeTreeOwner, ensureReachableFolder } from './reachable.ts';
import { findServerUser } from './system-user.ts';

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
