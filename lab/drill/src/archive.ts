import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from '@saleschannel/local';
import { findServerUser, takeBaseBackup, type RunningPostgres } from '@saleschannel/local-backends';
import { Client } from 'pg';

/** A way to back up a running server. */
export interface Archive {
  readonly describe: string;
  /** Server settings that the backup needs. */
  readonly settings: Readonly<Record<string, string>>;
  /** Takes a base backup of the running server and archives its log from then on. */
  begin(server: RunningPostgres, directory: string): Promise<void>;
  /** Resolves when the archive has everything that the server has committed so far. */
  waitUntilCaughtUp(server: RunningPostgres): Promise<void>;
  /** Data folder of the base backup. */
  backup(): string;
  /** Folder of the archived log. */
  readonly log: string;
  /** Ends the parts that run on the lost machine. */
  kill(): Promise<void>;
}

export const archiveNames = ['command', 'job'] as const;
export type ArchiveName = (typeof archiveNames)[number];

/** @param folder owned by the servers' user */
export const openArchive = (name: ArchiveName, folder: string, timeoutSeconds: number): Archive =>
  name === 'command' ? commandArchive(folder, timeoutSeconds) : jobArchive(folder);

/** The server copies each segment of its log when it is full, or after `timeoutSeconds`. */
function commandArchive(folder: string, timeoutSeconds: number): Archive {
  const [backup, log] = [join(folder, 'base'), join(folder, 'wal')];
  return {
    describe: `archive_command, archive_timeout = ${timeoutSeconds} s`,
    log,
    settings: {
      archive_mode: 'on',
      archive_timeout: String(timeoutSeconds),
      archive_command: `mkdir -p ${log} && test ! -f ${log}/%f && cp %p ${log}/%f.copy && mv ${log}/%f.copy ${log}/%f`,
    },
    begin: (server, directory) => takeBaseBackup({ url: server.url, directory, to: backup }),
    waitUntilCaughtUp: (server) => untilArchived(server, log),
    backup: () => join(backup, 'data'),
    kill: () => Promise.resolve(),
  };
}

const JOB = join(projectRoot, 'deploy', 'backup', 'backup.sh');
const FIRST_BACKUP_LIMIT_MS = 120_000;
const ARCHIVED_LIMIT_MS = 120_000;
const POLL_MS = 100;

/** Uses the job of docker-compose.yml: periodic `pg_basebackup`, continuous `pg_receivewal`. */
function jobArchive(folder: string): Archive {
  if (!process.env['POSTGRES_BIN'])
    throw new Error(
      '--archive job needs POSTGRES_BIN, the folder of a PostgreSQL with pg_basebackup and pg_receivewal.',
    );
  let job: ChildProcess | undefined;
  const bases = join(folder, 'base');
  const finished = (): string[] =>
    existsSync(bases) ? readdirSync(bases).filter((name) => /^\d{8}T\d{6}Z$/.test(name)) : [];
  return {
    describe: 'backup job (pg_receivewal)',
    log: join(folder, 'wal'),
    settings: {},
    async begin(server) {
      mkdirSync(folder, { recursive: true });
      // The servers' user may not be able to read the checkout.
      const script = join(folder, 'backup.sh');
      copyFileSync(JOB, script);
      const { ids } = await findServerUser();
      job = spawn('bash', [script], {
        // Same user as in Compose, so that the restored server can read the log.
        ...ids,
        cwd: folder,
        // Own process group, so that the job and its children end together.
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { PATH: pathWithPostgres(), BACKUP_FOLDER: folder, ...connectionVariables(server) },
      });
      for (const end = Date.now() + FIRST_BACKUP_LIMIT_MS; finished().length === 0; await delay(POLL_MS)) {
        if (job.exitCode !== null) throw new Error(`The backup job ended with exit code ${job.exitCode}.`);
        if (Date.now() > end) throw new Error('The backup job made no backup.');
      }
    },
    waitUntilCaughtUp: untilReceived,
    backup: () => join(bases, finished().toSorted().at(-1) ?? 'none'),
    async kill() {
      const running = job;
      if (running?.pid === undefined || running.exitCode !== null) return;
      const exited = new Promise((resolve) => running.once('exit', resolve));
      process.kill(-running.pid, 'SIGKILL');
      await exited;
    },
  };
}

const CURRENT = 'select lsn::text, pg_walfile_name(lsn) as segment from pg_current_wal_flush_lsn() lsn';
const RECEIVED = `select from pg_stat_replication where application_name = 'saleschannel_backup' and flush_lsn >= $1`;

/** Waits for full segments: `archive_command` copies no others. */
const untilArchived = ({ url }: RunningPostgres, log: string): Promise<void> =>
  inSession(url, async (client) => {
    const { segment } = await currentPosition(client);
    for (const end = Date.now() + ARCHIVED_LIMIT_MS; !existsSync(join(log, segment)); await delay(POLL_MS))
      if (Date.now() > end) throw new Error(`The archive did not get ${segment}.`);
  });

/** `pg_receivewal` also reports what it has written of a partial segment. */
const untilReceived = ({ url }: RunningPostgres): Promise<void> =>
  inSession(url, async (client) => {
    const { lsn } = await currentPosition(client);
    const isReceived = async (): Promise<boolean> => (await client.query(RECEIVED, [lsn])).rowCount !== 0;
    for (const end = Date.now() + ARCHIVED_LIMIT_MS; !(await isReceived()); await delay(POLL_MS))
      if (Date.now() > end) throw new Error(`The backup job did not receive the log until ${lsn}.`);
  });

/** Current end of the server's log. */
async function currentPosition(client: Client): Promise<{ lsn: string; segment: string }> {
  const { rows } = await client.query<{ lsn: string; segment: string }>(CURRENT);
  if (!rows[0]) throw new Error('The server has no log.');
  return rows[0];
}

/** Works with a connection to a database. */
export async function inSession(connectionString: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** PostgreSQL's clients must not be older than the server. The npm package has none; POSTGRES_BIN has both. */
const pathWithPostgres = (): string => [process.env['POSTGRES_BIN'], process.env['PATH']].filter(Boolean).join(':');

function connectionVariables({ url }: RunningPostgres): Record<string, string> {
  const { hostname, port, username, password } = new URL(url);
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: decodeURIComponent(password) };
}
