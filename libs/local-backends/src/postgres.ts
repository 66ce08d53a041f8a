import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { BackendError } from './errors.ts';
import { readLastLines, startGuarded, awaitUnlockedFile, waitUntilReady } from './guarded-process.ts';
import type { Exit, GuardedProcess, StopStep } from './guarded-process.ts';
import { choosePort } from './ports.ts';
import { ensureReachableBinaries, noChecksumOptions } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { ensureReachableFolder } from './reachable.ts';
import { changeOwner, runAs, findServerUser } from './system-user.ts';
import type { ServerUser } from './system-user.ts';

export interface PostgresOptions {
  /** Created on first use. Holds the data, the superuser's password (mode 0600), the last port and the log. */
  readonly dataDirectory: string;
  /** Default: the port of the last start if it is free, otherwise another free one. */
  readonly port?: number;
  /** Receives occasional lines for the person at the terminal. */
  readonly log: (line: string) => void;
  /**
   * Whether every commit is on disk before it is confirmed. Default true. With false the server uses neither fsync nor
   * checksums, for data that a power cut may destroy.
   */
  readonly durable?: boolean;
  /** A certificate and its key, as PEM. With them the server also accepts TLS connections. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string };
  /** Whether to delete the data folder if this process dies without stopping the server. */
  readonly removeWhenOrphaned?: boolean;
  /** Additional settings of the server, for instance of its archive. They override those of its files. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RunningPostgres {
  /** The superuser's URL of the database 'postgres', including the password. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended for any reason. */
  readonly exited: Promise<Exit>;
  /** Fast shutdown: open transactions are rolled back, committed ones kept. */
  stop(): Promise<void>;
  /** Ends all its processes at once, like a power cut. */
  kill(): Promise<void>;
}

const HOST = '127.0.0.1';
const SUPERUSER = 'postgres';
/** Suffices for seven services with a pool each, the tests' own connections, and psql. */
const MAX_CONNECTIONS = 200;
/** Recovery after a power cut may replay up to a gigabyte of log. */
const START_TIMEOUT_MS = 120_000;
const PROBE_TIMEOUT_MS = 5_000;
/** SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one (recovery at the next start). */
const STOP_STEPS = [
  { signal: 'SIGINT', timeoutMs: 20_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
] as const satisfies readonly [StopStep, ...StopStep[]];

/** PostgreSQL's builtin locale, so data sorts and folds case the same on every machine. */
const INITDB_ARGUMENTS = [
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function readOrCreatePassword(file: string, user: ServerUser): string {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
    changeOwner(file, user);
  }
  return readFileSync(file, 'utf8').trim();
}

/** initdb works in a folder of another name, so that an interrupted run is never mistaken for a database. */
async function initialize(
  directory: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  durable: boolean,
): Promise<void> {
  const unfinished = join(directory, 'data.unfinished');
  const logFile = join(directory, 'initdb.log');
  rmSync(unfinished, { recursive: true, force: true });
  const log = openSync(logFile, 'w', 0o600);
  const args = [...INITDB_ARGUMENTS, `--pgdata=${unfinished}`, `--pwfile=${join(directory, 'password')}`];
  if (!durable) args.push('--no-sync', ...noChecksumOptions(binaries));
  const child = spawn(binaries.initdb, args, {
    ...runAs(user),
    cwd: directory,
    env: environment,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new BackendError(`PostgreSQL's initdb failed. Its last lines:\n${readLastLines(logFile)}`);
  renameSync(unfinished, join(directory, 'data'));
}

/**
 * After a SIGKILL or a reboot, postmaster.pid names a process that is gone. If another process of the same user has the
 * number now, PostgreSQL would refuse to start. The folder's lock is free here, so only a manually started server can
 * be a real one.
 */
function removeStalePidFile(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const commandFile = `/proc/${pid}/cmdline`;
  // PostgreSQL itself recognizes these.
  if (!existsSync(commandFile) || readFileSync(commandFile, 'utf8').includes(data)) return;
  rmSync(file);
}

/** Writes files that belong to the server's user. */
function tlsSettings(
  directory: string,
  user: ServerUser,
  { certificate, privateKey }: NonNullable<PostgresOptions['tls']>,
): Record<string, string> {
  const write = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    changeOwner(file, user);
    return file;
  };
  return { ssl: 'on', ssl_cert_file: write('tls.crt', certificate), ssl_key_file: write('tls.key', privateKey) };
}

function serverArguments(
  data: string,
  port: number,
  durable: boolean,
  overrides: Readonly<Record<string, string>>,
): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: HOST,
    port,
    unix_socket_directories: '',
    max_connections: MAX_CONNECTIONS,
    shared_buffers: '256MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...overrides,
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** @throws if the server answers but rejects the superuser: waiting would not help */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code?.startsWith('28')) throw error; // invalid password, or none of its kind
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function waitFor(server: GuardedProcess, url: string, directory: string): Promise<void> {
  try {
    await waitUntilReady('PostgreSQL', server, () => answers(url), START_TIMEOUT_MS);
  } catch (error) {
    await server.stop();
    if (error instanceof BackendError) throw error;
    throw new BackendError(
      `PostgreSQL refuses the password in ${join(directory, 'password')} (${(error as Error).message}). ` +
        `Delete ${directory} to start over.`,
    );
  }
}

/** Starts a private PostgreSQL on 127.0.0.1, from npm's binaries. Its data outlives it. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { log, durable = true } = options;
  const user = await findServerUser();
  const directory = ensureReachableFolder(options.dataDirectory, user);
  const binaries = ensureReachableBinaries(directory, user);
  const lockFile = await awaitUnlockedFile(directory, user, log);
  const password = readOrCreatePassword(join(directory, 'password'), user);
  const data = join(directory, 'data');
  if (!existsSync(data)) await initialize(directory, binaries, user, durable);
  removeStalePidFile(data);
  const port = await choosePort(directory, user, options.port);
  const url = `postgres://${SUPERUSER}:${password}@${HOST}:${port}/postgres`;
  const server = startGuarded({
    command: binaries.postgres,
    args: serverArguments(data, port, durable, {
      ...(options.tls ? tlsSettings(directory, user, options.tls) : {}),
      ...options.settings,
    }),
    env: environment,
    user,
    directory,
    lockFile,
    logFile: join(directory, 'postgres.log'),
    stopSteps: STOP_STEPS,
    ...(options.removeWhenOrphaned ? { removeWhenOrphaned: directory } : {}),
  });
  await waitFor(server, url, directory);
  return { url, host: HOST, port, pid: server.pid, exited: server.exited, stop: server.stop, kill: server.kill };
}
