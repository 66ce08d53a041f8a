import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, delimiter } from 'node:path';
import { promisify } from 'node:util';
import { BackendError } from './errors.ts';
import {
  startGuarded,
  awaitUnlockedFile,
  waitUntilReady,
  type Exit,
  type GuardedOptions,
  type GuardedProcess,
  type StopStep,
} from './guarded-process.ts';
import { installPackage, isExecutable, mayInstallPackages } from './install-package.ts';
import { choosePort, findFreePort } from './ports.ts';
import { prepareNode, type BrokerUser, type ClusterNode, type NodePorts, type NodeTls } from './rabbitmq-files.ts';
import { canExecute, ensureReachableFolder } from './reachable.ts';
import { runAs, findServerUser } from './system-user.ts';

/** The package's own scripts. The wrapper on PATH switches to the user 'rabbitmq' and reads the machine's settings. */
const INSTALLED = '/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server';
const EPMD_BESIDE_ERLANG = '/usr/{lib,lib64,local/lib}/erlang/erts-*/bin/epmd';

const REMEDIES =
  'Install the package rabbitmq-server yourself, set RABBITMQ_SERVER to the path of an sbin/rabbitmq-server, ' +
  'or set AMQP_URL to a broker of your own.';

/**
 * Finds the start script of an installed RabbitMQ: $RABBITMQ_SERVER, otherwise the Linux package's newest.
 * @throws BackendError if RABBITMQ_SERVER is not a program
 */
export function findRabbitMqServer(): string | undefined {
  const named = process.env.RABBITMQ_SERVER;
  if (named) {
    if (isExecutable(named)) return named;
    throw new BackendError(`RABBITMQ_SERVER is ${named}, which this user cannot run.`);
  }
  return globSync(INSTALLED)
    .filter(isExecutable)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
}

/** Finds Erlang's port mapper daemon. */
function findEpmd(): string {
  const onPath = process.env.PATH?.split(delimiter).map((folder) => join(folder, 'epmd'));
  const found = [...(onPath ?? []), ...globSync(EPMD_BESIDE_ERLANG)].find(isExecutable);
  if (!found)
    throw new BackendError(
      "Erlang's epmd was found neither on PATH nor below /usr/lib/erlang, although RabbitMQ is installed.",
    );
  return found;
}

const PACKAGE = 'rabbitmq-server';
const POLICY_FILE = '/usr/sbin/policy-rc.d';
/** Exit code 101 keeps package scripts from starting services. The comment identifies the file in a later run. */
const POLICY_MARK = '# saleschannel: no service starts while rabbitmq-server is installed';
const POLICY = `#!/bin/sh\n${POLICY_MARK}\nexit 101\n`;

/** Keeps the package from starting a broker, unless the machine already has a policy. */
function forbidServices(): () => void {
  const isLeftOver = existsSync(POLICY_FILE) && readFileSync(POLICY_FILE, 'utf8').includes(POLICY_MARK);
  if (existsSync(POLICY_FILE) && !isLeftOver) return () => undefined;
  writeFileSync(POLICY_FILE, POLICY, { mode: 0o755 });
  const allow = (): void => rmSync(POLICY_FILE, { force: true });
  process.once('exit', allow);
  return () => {
    process.off('exit', allow);
    allow();
  };
}

/**
 * Ensures that RabbitMQ is installed. On Debian and Ubuntu, root gets the package installed, without a started broker.
 * @throws BackendError with remedies if it cannot
 */
export async function ensureRabbitMqInstalled(log: (line: string) => void): Promise<void> {
  if (findRabbitMqServer()) return;
  if (!mayInstallPackages()) {
    throw new BackendError(
      `RabbitMQ is not installed, and only root on Debian or Ubuntu can install it from here. ${REMEDIES}`,
    );
  }
  log(`RabbitMQ is not installed; installing the package ${PACKAGE} with apt-get, without starting a service`);
  const startedAt = Date.now();
  const allowServices = forbidServices();
  try {
    await installPackage(PACKAGE, REMEDIES);
  } finally {
    allowServices();
  }
  if (!findRabbitMqServer())
    throw new BackendError(`apt-get installed ${PACKAGE}, but no sbin/rabbitmq-server was found. ${REMEDIES}`);
  log(`${PACKAGE} installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
}

export interface RabbitMqOptions {
  /** Created on first use. Holds the node's data, configuration, cookie and log. */
  readonly dataDirectory: string;
  /** The only users: 'guest' does not exist. */
  readonly users: readonly BrokerUser[];
  readonly vhost: string;
  /** Default: the port of the last start if it is free, otherwise another free one. */
  readonly port?: number;
  /** Receives the port as soon as it is chosen, so that clients may start and wait for the node. */
  readonly onPort?: (port: number) => void;
  /** Receives occasional lines for the person at the terminal. */
  readonly log: (line: string) => void;
  /** A certificate and its key, as PEM. With them the node also accepts TLS connections, at another port. */
  readonly tls?: NodeTls;
  /** Whether to delete the data folder if this process dies without stopping the node. */
  readonly removeWhenOrphaned?: boolean;
  /** A node of a cluster. The first one starts the port mapper, and must outlive the others. */
  readonly cluster?: ClusterNode & { readonly epmdPort: number; readonly startsEpmd: boolean };
}

export interface RunningRabbitMq {
  readonly host: string;
  readonly port: number;
  /** Undefined without TLS. */
  readonly tlsPort: number | undefined;
  /** The Erlang machine's process. */
  readonly pid: number;
  /** Resolves when the node has ended for any reason. */
  readonly exited: Promise<Exit>;
  /** The AMQP URL of one of the users, including the password. */
  url(userName: string): string;
  /** Runs `rabbitmqctl` against the node. */
  control(...args: string[]): Promise<void>;
  stop(): Promise<void>;
  /** Ends the node at once, like a power cut. */
  kill(): Promise<void>;
}

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 90_000;
const EPMD_TIMEOUT_MS = 10_000;
const PROBE_TIMEOUT_MS = 2_000;
const CONTROL_TIMEOUT_MS = 60_000;
const run = promisify(execFile);
const STOP_STEPS = [{ signal: 'SIGTERM', timeoutMs: 30_000 }] as const satisfies readonly [StopStep];
const EPMD_STOP_STEPS = [{ signal: 'SIGTERM', timeoutMs: 2_000 }] as const satisfies readonly [StopStep];
const AMQP_HEADER = Buffer.from('AMQP\0\0\x09\x01', 'latin1');
/** Type of a frame with a method. The broker's first frame has the method connection.start. */
const METHOD_FRAME = 1;

/** Connects, sends the greeting if there is one, and checks the first byte of the answer. */
const probe = (port: number, greeting?: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: HOST, port });
    const end = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => (greeting ? socket.write(greeting) : end(true)));
    socket.once('data', (data) => end(data[0] === METHOD_FRAME));
  });

function installedServer(): string {
  const server = findRabbitMqServer();
  if (!server) throw new BackendError(`RabbitMQ is not installed. ${REMEDIES}`);
  return server;
}

/** Starts a port mapper on its own port. Otherwise Erlang would start a daemon that nothing stops. */
async function startEpmd(
  port: number,
  common: Pick<GuardedOptions, 'env' | 'user' | 'directory'>,
): Promise<GuardedProcess> {
  const epmd = startGuarded({
    ...common,
    command: findEpmd(),
    args: ['-port', String(port), '-address', HOST],
    lockFile: join(common.directory, 'epmd.lock'),
    logFile: join(common.directory, 'epmd.log'),
    stopSteps: EPMD_STOP_STEPS,
  });
  await waitUntilReady("RabbitMQ's port mapper (epmd)", epmd, () => probe(port), EPMD_TIMEOUT_MS);
  return epmd;
}

/**
 * Starts a private RabbitMQ node on 127.0.0.1 from an installed RabbitMQ, with its own port mapper, cookie and
 * configuration. Its data outlives it.
 */
export async function startRabbitMq(options: RabbitMqOptions): Promise<RunningRabbitMq> {
  const { vhost, users, log, cluster } = options;
  const command = installedServer();
  const user = await findServerUser();
  if (!canExecute(command, user)) throw new BackendError(`The user '${user.name}' cannot run ${command}. ${REMEDIES}`);
  const directory = ensureReachableFolder(options.dataDirectory, user);
  const lockFile = await awaitUnlockedFile(directory, user, log);
  const amqp = await choosePort(directory, user, options.port);
  options.onPort?.(amqp);
  const ports: NodePorts = {
    amqp,
    distribution: await findFreePort(),
    epmd: cluster?.epmdPort ?? (await findFreePort()),
    ...(options.tls ? { tls: await findFreePort() } : {}),
  };
  const env = prepareNode(directory, user, ports, vhost, users, { cluster, tls: options.tls });

  const epmd = (cluster?.startsEpmd ?? true) ? await startEpmd(ports.epmd, { env, user, directory }) : undefined;
  const node = startGuarded({
    command,
    args: [],
    env,
    user,
    directory,
    lockFile,
    logFile: join(directory, 'log', 'output.log'),
    stopSteps: STOP_STEPS,
    ...(options.removeWhenOrphaned ? { removeWhenOrphaned: directory } : {}),
  });
  const stop = async (): Promise<void> => {
    await node.stop();
    await epmd?.stop();
  };
  try {
    await waitUntilReady('RabbitMQ', node, () => probe(amqp, AMQP_HEADER), START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = (userName: string): string => {
    const found = users.find(({ name }) => name === userName);
    if (!found) throw new BackendError(`The broker has no user '${userName}'.`);
    const [name, password, path] = [found.name, found.password, vhost].map(encodeURIComponent);
    return `amqp://${name}:${password}@${HOST}:${amqp}/${path}`;
  };
  const kill = async (): Promise<void> => {
    await node.kill();
    await epmd?.stop();
  };
  const control = async (...args: string[]): Promise<void> => {
    const tool = join(dirname(command), 'rabbitmqctl');
    await run(tool, args, { ...runAs(user), cwd: directory, env, timeout: CONTROL_TIMEOUT_MS });
  };
  return { host: HOST, port: amqp, tlsPort: ports.tls, pid: node.pid, exited: node.exited, url, control, stop, kill };
}
