import { createPrincipalSigner } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { migrateDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createGrpcServer, createServiceIdentity } from '@saleschannel/grpc';
import { createBroker, createRelay } from '@saleschannel/messaging';
import { systemClock, type Clock } from '@saleschannel/primitives';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import type { Context } from './context.ts';
import { createBearerTokens } from './credentials/bearer-tokens.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { entities } from './store/entities.ts';
import { Migration20261121000001_identity } from './store/migration-1.ts';

const NAME = 'identity';

const schema = { entities, migrations: [Migration20261121000001_identity] };

/** @param clock tells which keys and tokens have expired; tests set it. */
export const createService = (clock: Clock = systemClock): ServiceDefinition<typeof environment> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const identity = await createServiceIdentity(NAME, values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createBroker({ url: values.AMQP_URL, namespace: values.AMQP_NAMESPACE, service: NAME, logger });
    const relay = createRelay({ databaseUrl: values.DATABASE_URL, broker, service: NAME, logger });
    const context: Context = {
      database,
      bearerTokens: createBearerTokens({
        issuer: values.OIDC_ISSUER,
        audience: values.OIDC_AUDIENCE,
        jwksUrl: values.OIDC_JWKS_URL,
        algorithms: values.OIDC_ALGORITHMS,
        clock,
        logger,
      }),
      bindings: createClient(services.bindingDirectory, { address: values.RBAC_ADDRESS, tokens: identity.tokens }),
      signer: await createPrincipalSigner(values.SERVICE_PRIVATE_KEY, () => clock.now()),
      pepper: values.API_KEY_PEPPER,
      clock,
      logger,
    };
    const server = createGrpcServer({
      host: values.GRPC_HOST,
      port: values.GRPC_PORT,
      services: registrations(context),
      tokens: identity.verifier,
      logger,
    });
    return composeApp([database, broker, relay], server, [context.bindings]);
  },
  migrate: (values, logger) => migrateDatabase(openServiceDatabase(values, schema, logger)),
});

export const service = createService();
