import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot } from '@saleschannel/local';
import { takeBaseBackup, type RunningPostgres } from '@saleschannel/local-backends';
import { Client } from 'pg';

/** How a running server is backed up. */
export interface Archive {
  readonly describe: string;
  /** Settings that the server needs for it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Makes a base backup of the running server, and keeps its log from then on. */
  begin(server: RunningPostgres, directory: string): Promise<void>;
  /** Resolves when the archive has what the server has committed until now. */
  caughtUp(server: RunningPostgres): Promise<void>;
  /** The data folder of the base backup. */
  backup(): string;
  /** The folder of the log. */
  readonly log: string;
  /** What of it runs on the lost machine ends with it. */
  kill(): Promise<void>;
}

export const archiveNames = ['command', 'job'] as const;
export type ArchiveName = (typeof archiveNames)[number];

/** @param folder belongs to the servers' user */
export const openArchive = (name: ArchiveName, folder: string, timeoutSeconds: number): Archive =>
  name === 'command' ? commandArchive(folder, timeoutSeconds) : jobArchive(folder);

/** The server copies each segment of its log when it is full, or when so much time has passed. */
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
    caughtUp: (server) => untilArchived(server, log),
    backup: () => join(backup, 'data'),
    kill: () => Promise.resolve(),
  };
}

const JOB = join(projectRoot, 'deploy', 'backup', 'backup.sh');
const FIRST_BACKUP_LIMIT_MS = 120_000;
const ARCHIVED_LIMIT_MS = 120_000;
const POLL_MS = 100;

/** The job of docker-compose.yml: pg_basebackup now and then, and pg_receivewal all the time. */
function jobArchive(folder: string): Archive {
  if (!process.env['POSTGRES_BIN'])
    throw new Error(
      '--archive job needs POSTGRES_BIN, the folder of a PostgreSQL with pg_basebackup and pg_receivewal',
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
      job = spawn('bash', [JOB], {
        // A group of its own, so that all of it ends at once.
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { PATH: pathWithPostgres(), BACKUP_FOLDER: folder, ...connectionOf(server) },
      });
      for (const end = Date.now() + FIRST_BACKUP_LIMIT_MS; finished().length === 0; await delay(POLL_MS)) {
        if (job.exitCode !== null) throw new Error(`the backup job ended with exit code ${job.exitCode}`);
        if (Date.now() > end) throw new Error('the backup job made no backup');
      }
    },
    caughtUp: (server) => untilArchived(server, join(folder, 'wal')),
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

async function untilArchived(server: RunningPostgres, log: string): Promise<void> {
  const segment = await currentSegment(server.url);
  const files = [join(log, segment), join(log, `${segment}.partial`)];
  for (const end = Date.now() + ARCHIVED_LIMIT_MS; !files.some((file) => existsSync(file)); await delay(POLL_MS))
    if (Date.now() > end) throw new Error(`the archive did not get ${segment}`);
}

async function currentSegment(connectionString: string): Promise<string> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ segment: string }>(
      'select pg_walfile_name(pg_current_wal_flush_lsn()) as segment',
    );
    if (!rows[0]) throw new Error('the server has no log');
    return rows[0].segment;
  } finally {
    await client.end();
  }
}

/** PostgreSQL's clients must be as new as the server. npm brings none: POSTGRES_BIN has both, of one version. */
const pathWithPostgres = (): string => [process.env['POSTGRES_BIN'], process.env['PATH']].filter(Boolean).join(':');

function connectionOf({ url }: RunningPostgres): Record<string, string> {
  const { hostname, port, username, password } = new URL(url);
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: decodeURIComponent(password) };
}
