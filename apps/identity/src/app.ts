import { createPrincipalSigner } from '@saleschannel/auth';
import { migrateServiceDatabase, openServiceDatabase } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { systemClock, type Clock } from '@saleschannel/primitives';
import { composeApp, type ServiceDefinition } from '@saleschannel/runtime';
import { createBearerTokens } from './credentials/bearer-tokens.ts';
import { environment } from './environment.ts';
import { registrations } from './rpc/index.ts';
import { schema } from './store/schema.ts';

const NAME = 'identity';

/** @param clock tells which keys and tokens have expired; tests set it */
export const createService = (clock: Clock = systemClock): ServiceDefinition<typeof environment> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const own = await createServiceIdentity(NAME, values);
    const database = await openServiceDatabase(values, schema, logger);
    const broker = createServiceBroker(NAME, values, logger);
    const relay = createServiceRelay(NAME, values, broker, logger);
    const rbac = createClient('bindingDirectory', { address: values.RBAC_ADDRESS, tokens: own.tokens });
    const registryImport = { address: values.REGISTRY_IMPORT_ADDRESS, tokens: own.tokens };
    const accountHolders = createClient('accountHolderDirectory', registryImport);
    const signer = await createPrincipalSigner(values.SERVICE_PRIVATE_KEY, () => clock.now());
    const bearerTokens = createBearerTokens({
      issuer: values.OIDC_ISSUER,
      audience: values.OIDC_AUDIENCE,
      jwksUrl: values.OIDC_JWKS_URL,
      algorithms: values.OIDC_ALGORITHMS,
      clock,
      logger,
    });
    const pepper = values.API_KEY_PEPPER;
    const context = { database, rbac, accountHolders, bearerTokens, signer, pepper, clock, logger };
    const server = createServiceServer(values, own, registrations(context), logger);
    return composeApp([database, broker, relay], server, [rbac, accountHolders]);
  },
  migrate: (values, logger) => migrateServiceDatabase(values, schema, logger),
});

export const service = createService();
