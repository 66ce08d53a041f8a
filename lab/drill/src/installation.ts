import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokerUsers, parseSecrets, VHOST, type Secrets } from '@saleschannel/installation';
import { connectAdministration, createDemo, startStack, type Demo, type Stack } from '@saleschannel/local';
import { findFreePort, startRabbitMq, type RunningPostgres } from '@saleschannel/local-backends';

export interface Installation {
  readonly stack: Stack;
  readonly database: RunningPostgres;
  readonly brokerSeconds: number;
  readonly servicesSeconds: number;
  /** Kills everything at once, like a power cut. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Short for a drill: unanswered messages are sent again after this many seconds. */
const VARIABLES = {
  LOG_LEVEL: 'fatal',
  TASK_PICK_UP_SECONDS: '5',
  RECONCILE_SECONDS: '5',
  RECONCILE_GRACE_SECONDS: '5',
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
};

const silent = (): void => undefined;

/**
 * Starts a broker that knows only the installation's secrets, and all services that clients need.
 * @param folder empty, or with the data of a previous installation
 * @param secrets all that is left of the installation, apart from the backup of its databases
 * @param options isClosed: the gateway starts only with `stack.open()`
 */
export async function startInstallation(
  folder: string,
  secrets: string,
  database: RunningPostgres,
  { isClosed = false }: { isClosed?: boolean } = {},
): Promise<Installation> {
  const known = parseSecrets(secrets) as Secrets;
  mkdirSync(folder, { recursive: true });
  const began = performance.now();
  const broker = await startRabbitMq({
    dataDirectory: join(folder, 'rabbitmq'),
    users: brokerUsers(known),
    vhost: VHOST,
    log: silent,
    removeWhenOrphaned: true,
  });
  const brokerStarted = performance.now();
  try {
    writeFileSync(join(folder, 'secrets.json'), secrets, { mode: 0o600 });
    const stack = await startStack({
      folder,
      gatewayPort: await findFreePort(),
      idpPort: await findFreePort(),
      format: 'json',
      quiet: true,
      isClosed,
      databaseUrl: database.url,
      amqpUrl: `amqp://${broker.host}:${broker.port}`,
      variables: VARIABLES,
    });
    return {
      stack,
      database,
      brokerSeconds: (brokerStarted - began) / 1_000,
      servicesSeconds: (performance.now() - brokerStarted) / 1_000,
      async kill() {
        // Kill the database first, so that the shutdown of the others does not reach it.
        await Promise.all([database.kill(), broker.kill(), ...stack.processes.map((each) => each.kill())]);
      },
      async stop() {
        await stack.stop();
        await broker.stop();
      },
    };
  } catch (error) {
    await broker.stop();
    throw error;
  }
}

/** Creates sales channels with traders and certificates. */
export async function createStackDemo({ stack }: Installation): Promise<Demo> {
  const administration = await connectAdministration(stack);
  const { baseUrl, issuer, audience } = stack;
  try {
    return await createDemo({ baseUrl, issuer, audience, administration, setClients: silent });
  } finally {
    administration.close();
  }
}
