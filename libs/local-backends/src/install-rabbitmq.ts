import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BackendError } from './errors.ts';
import { findRabbitMqServer, WAYS_OUT } from './rabbitmq-server.ts';

const PACKAGE = 'rabbitmq-server';
const POLICY_FILE = '/usr/sbin/policy-rc.d';
/** Exit code 101 forbids package scripts to start services. The comment tells a later run that the file is ours. */
const POLICY_MARK = '# saleschannel: no service starts while rabbitmq-server is installed';
const POLICY = `#!/bin/sh\n${POLICY_MARK}\nexit 101\n`;
const SHOWN_LINES = 8;
/** Waits for another apt or dpkg instead of failing at once. */
const LOCK_TIMEOUT_S = 120;

interface Outcome {
  readonly succeeded: boolean;
  readonly lastLines: string;
}

function aptGet(...args: string[]): Promise<Outcome> {
  const child = spawn('apt-get', ['-q', '-o', `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let lines: string[] = [];
  const collect = (chunk: Buffer): void => {
    lines = (lines.join('\n') + chunk.toString('utf8')).split('\n').slice(-2 * SHOWN_LINES);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ succeeded: false, lastLines: error.message }));
    child.once('close', (code) => {
      resolve({ succeeded: code === 0, lastLines: lines.join('\n').trim().split('\n').slice(-SHOWN_LINES).join('\n') });
    });
  });
}

/** Keeps the package from starting a broker of its own, unless the machine has a policy already. */
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

const isDebianLike = (): boolean => existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
const hasPackageLists = (): boolean => globSync('/var/lib/apt/lists/*_Packages*').length > 0;

async function install(): Promise<void> {
  const installation = ['install', '-y', '--no-install-recommends', PACKAGE];
  let outcome = hasPackageLists() ? await aptGet(...installation) : undefined;
  if (!outcome?.succeeded) {
    const update = await aptGet('update'); // no lists, or lists that name files the mirror no longer has
    outcome = await aptGet(...installation);
    if (!outcome.succeeded) {
      // The update's lines too: without a network it ends with success and warnings, and only the installation fails.
      const shown = `${update.lastLines}\n${outcome.lastLines}`;
      throw new BackendError(`apt-get could not install ${PACKAGE}. ${WAYS_OUT} Its last lines:\n${shown}`);
    }
  }
}

/**
 * Sees to it that a RabbitMQ is installed: on Debian and Ubuntu as root by installing the package, without the broker
 * it would start.
 * @throws BackendError with the ways out where it cannot
 */
export async function ensureRabbitMqInstalled(log: (line: string) => void): Promise<void> {
  if (findRabbitMqServer()) return;
  if (process.getuid?.() !== 0 || !isDebianLike()) {
    throw new BackendError(
      `RabbitMQ is not installed, and only root on Debian or Ubuntu gets it installed from here. ${WAYS_OUT}`,
    );
  }
  log(`RabbitMQ is not installed: installing the package ${PACKAGE} with apt-get (no service is started)`);
  const startedAt = Date.now();
  const allowServices = forbidServices();
  try {
    await install();
  } finally {
    allowServices();
  }
  if (!findRabbitMqServer())
    throw new BackendError(`apt-get installed ${PACKAGE}, but no sbin/rabbitmq-server was found. ${WAYS_OUT}`);
  log(`${PACKAGE} installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
}
