import {
  readEnvironment,
  silentLogger,
  type App,
  type Environment,
  type ServiceDefinition,
} from '@saleschannel/runtime';
import { testBrokerUrl } from './broker.ts';
import { createTestDatabase } from './database.ts';
import { identityVariables, type ServiceName } from './identities.ts';

export interface TestService extends App {
  readonly databaseUrl: string;
}

export interface TestServiceOptions {
  namespace?: string;
  /** Further variables, for instance addresses of the services it calls. */
  variables?: Record<string, string>;
  /** Another process's database, to test two replicas. */
  databaseUrl?: string;
}

/** Runs one service in this process, with a database of its own and real RabbitMQ, the way its main does. */
export async function startTestService<E extends Environment>(
  definition: ServiceDefinition<E>,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const database = options.databaseUrl
    ? { url: options.databaseUrl, drop: () => Promise.resolve() }
    : await createTestDatabase();
  const values = readEnvironment(definition.environment, {
    DATABASE_URL: database.url,
    AMQP_URL: process.env['TEST_AMQP_URL'] ? testBrokerUrl() : 'amqp://unused',
    AMQP_NAMESPACE: options.namespace ?? 'unused',
    ...identityVariables(definition.name as ServiceName),
    ...options.variables,
  });
  await definition.migrate?.(values, silentLogger);
  const app = await definition.createApp(values, silentLogger);
  await app.start();
  return {
    databaseUrl: database.url,
    get address() {
      return app.address;
    },
    start: () => Promise.resolve(),
    async stop() {
      await app.stop();
      await database.drop();
    },
  };
}
