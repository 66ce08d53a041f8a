import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BackendError } from './errors.ts';
import { installPackage, isExecutable, mayInstallPackages } from './install-package.ts';

/**
 * The package's own scripts. The wrapper on PATH switches to the user 'rabbitmq' and reads the machine's configuration.
 */
const INSTALLED = '/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server';
const EPMD_BESIDE_ERLANG = '/usr/{lib,lib64,local/lib}/erlang/erts-*/bin/epmd';

export const REMEDIES =
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
export function findEpmd(): string {
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
