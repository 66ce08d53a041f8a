import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeBaseBackup } from './postgres-backup.ts';
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

/**
 * Copies a running primary, to be started as its hot standby by streaming replication. It fetches the log by itself,
 * from the beginning of the backup on.
 */
export async function copyForStandby({ primaryUrl, primaryDirectory, dataDirectory }: StandbyOptions): Promise<void> {
  await takeBaseBackup({ url: primaryUrl, directory: primaryDirectory, to: dataDirectory });
  const user = await serverUser();
  const folder = reachableFolder(dataDirectory, user);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${conninfoOf(primaryUrl)}'\n`);
  giveTreeTo(folder, user);
}

function conninfoOf(url: string): string {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
}
