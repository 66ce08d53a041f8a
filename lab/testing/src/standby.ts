import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyForStandby, createTemporaryFolder, removeFolder, startPostgres } from '@saleschannel/local-backends';
import { Client } from 'pg';
import { execute } from './database.ts';
import { eventually } from './eventually.ts';

/** A hot standby of a test's server, by streaming replication. */
export interface Standby {
  /** `host:port`, unchanged by kills and restarts. */
  readonly address: string;
  /** The primary's URL with the address of the standby. */
  toUrl(primaryUrl: string): string;
  /** Receives the log from now on without replaying it. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Stops all its processes with SIGSTOP. Connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Waits until it has replayed the primary's log. */
  waitUntilCaughtUp(): Promise<void>;
}

export interface ReplicatedServer {
  readonly standby: Standby;
  stop(): Promise<void>;
}

const silent = { durable: false, removeWhenOrphaned: true, log: () => undefined } as const;

/** Starts a server with a standby for this test file. Test databases are created on it from now on. */
export async function useReplicatedServer(): Promise<ReplicatedServer> {
  const folder = await createTemporaryFolder();
  const [primaryDirectory, dataDirectory] = [join(folder, 'primary'), join(folder, 'standby')];
  const primary = await startPostgres({ ...silent, dataDirectory: primaryDirectory });
  await copyForStandby({ primaryUrl: primary.url, primaryDirectory, dataDirectory });
  let running = await startPostgres({ ...silent, dataDirectory });
  process.env['TEST_DATABASE_URL'] = primary.url;
  const { url, host, port } = running;
  let frozen: readonly number[] = [];
  const thaw = (): void => {
    for (const pid of frozen) signalTo(pid, 'SIGCONT');
    frozen = [];
  };
  const standby: Standby = {
    address: `${host}:${port}`,
    toUrl: (primaryUrl) => Object.assign(new URL(primaryUrl), { host: `${host}:${port}` }).href,
    pauseReplay: () => execute(url, 'select pg_wal_replay_pause()'),
    resumeReplay: () => execute(url, 'select pg_wal_replay_resume()'),
    freeze() {
      // Stop the postmaster first: it starts the others.
      signalTo(running.pid, 'SIGSTOP');
      frozen = [running.pid, ...listChildren(running.pid)];
      for (const pid of frozen) signalTo(pid, 'SIGSTOP');
    },
    thaw,
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.exited;
      await running.stop();
    },
    async start() {
      running = await startPostgres({ ...silent, dataDirectory, port });
    },
    async waitUntilCaughtUp() {
      await eventually(() => isCaughtUp(primary.url, url), 'a standby that has replayed everything');
    },
  };
  return {
    standby,
    async stop() {
      thaw();
      await running.stop();
      await primary.stop();
      removeFolder(folder);
    },
  };
}

/** A backend may have exited in the meantime. */
function signalTo(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const listChildren = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

async function isCaughtUp(primaryUrl: string, standbyUrl: string): Promise<boolean> {
  const flushed = await queryValue(primaryUrl, 'select pg_current_wal_flush_lsn()::text as value');
  return (await queryValue(standbyUrl, `select pg_last_wal_replay_lsn() >= '${String(flushed)}' as value`)) === true;
}

async function queryValue(connectionString: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ value: unknown }>(text);
    return rows[0]?.value;
  } finally {
    await client.end();
  }
}
