import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { BackendError } from './errors.ts';
import { giveTreeTo, reachableFolder } from './reachable.ts';
import { serverUser } from './system-user.ts';

export interface StandbyOptions {
  /** The superuser's URL of the running primary. */
  readonly primaryUrl: string;
  /** Of the primary, as `startPostgres` was told. */
  readonly primaryDirectory: string;
  /** Made here. `startPostgres` starts the standby with it. */
  readonly dataDirectory: string;
}

/** What is the primary's own while it runs. */
const leftFiles = new Set(['postmaster.pid', 'postmaster.opts']);
/** Copied without what is in them. The standby fetches the log by itself, from the beginning of the backup on. */
const emptyFolders = new Set(['pg_wal', 'pg_replslot']);

/**
 * Copies a running primary, to be started as its hot standby by streaming replication. The copy is made by PostgreSQL's
 * low-level functions, because npm's binaries have no pg_basebackup.
 */
export async function copyForStandby({ primaryUrl, primaryDirectory, dataDirectory }: StandbyOptions): Promise<void> {
  const user = await serverUser();
  const from = reachableFolder(primaryDirectory, user);
  const to = reachableFolder(dataDirectory, user);
  const data = join(to, 'data');
  if (existsSync(data)) throw new BackendError(`${data} is there already.`);
  const client = new Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    // Both in one session: the backup ends with it.
    await client.query(`select pg_backup_start('standby', true)`);
    mkdirSync(data, { mode: 0o700 });
    for (const entry of readdirSync(join(from, 'data'))) {
      if (leftFiles.has(entry)) continue;
      if (emptyFolders.has(entry)) mkdirSync(join(data, entry), { mode: 0o700 });
      else cpSync(join(from, 'data', entry), join(data, entry), { recursive: true, verbatimSymlinks: true });
    }
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    if (!rows[0]) throw new BackendError('The backup has no label.');
    writeFileSync(join(data, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
  cpSync(join(from, 'password'), join(to, 'password'));
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfoOf(primaryUrl)}'\n`);
  giveTreeTo(to, user);
}

function conninfoOf(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
}
