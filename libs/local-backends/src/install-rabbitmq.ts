import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BackendError } from './errors.ts';
import { installPackage, mayInstallPackages } from './install-package.ts';
import { findRabbitMqServer, WAYS_OUT } from './rabbitmq-server.ts';

const PACKAGE = 'rabbitmq-server';
const POLICY_FILE = '/usr/sbin/policy-rc.d';
/** Exit code 101 forbids package scripts to start services. The comment tells a later run that the file is ours. */
const POLICY_MARK = '# saleschannel: no service starts while rabbitmq-server is installed';
const POLICY = `#!/bin/sh\n${POLICY_MARK}\nexit 101\n`;

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

/**
 * Sees to it that a RabbitMQ is installed: on Debian and Ubuntu as root by installing the package, without the broker
 * it would start.
 * @throws BackendError with the ways out where it cannot
 */
export async function ensureRabbitMqInstalled(log: (line: string) => void): Promise<void> {
  if (findRabbitMqServer()) return;
  if (!mayInstallPackages()) {
    throw new BackendError(
      `RabbitMQ is not installed, and only root on Debian or Ubuntu gets it installed from here. ${WAYS_OUT}`,
    );
  }
  log(`RabbitMQ is not installed: installing the package ${PACKAGE} with apt-get (no service is started)`);
  const startedAt = Date.now();
  const allowServices = forbidServices();
  try {
    await installPackage(PACKAGE, WAYS_OUT);
  } finally {
    allowServices();
  }
  if (!findRabbitMqServer())
    throw new BackendError(`apt-get installed ${PACKAGE}, but no sbin/rabbitmq-server was found. ${WAYS_OUT}`);
  log(`${PACKAGE} installed in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
}
