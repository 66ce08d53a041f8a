import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BackendError } from './errors.ts';

/**
 * The package's own scripts. The wrapper on PATH drops to the user 'rabbitmq' and reads the machine's configuration.
 */
const INSTALLED = '/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server';
const EPMD_BESIDE_ERLANG = '/usr/{lib,lib64,local/lib}/erlang/erts-*/bin/epmd';

export const WAYS_OUT =
  'Install the package rabbitmq-server yourself, set RABBITMQ_SERVER to the path of an sbin/rabbitmq-server, ' +
  'or set AMQP_URL to a broker of your own.';

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * The start script of an installed RabbitMQ: $RABBITMQ_SERVER, else the Linux package's (the newest where there are
 * several).
 * @throws BackendError when RABBITMQ_SERVER names no program
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

/** Erlang's port mapper daemon. */
export function findEpmd(): string {
  const onPath = process.env.PATH?.split(delimiter).map((folder) => join(folder, 'epmd'));
  const found = [...(onPath ?? []), ...globSync(EPMD_BESIDE_ERLANG)].find(isExecutable);
  if (!found)
    throw new BackendError(
      "Erlang's epmd was not found on PATH nor below /usr/lib/erlang, though RabbitMQ is installed.",
    );
  return found;
}
