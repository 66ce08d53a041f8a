import { createPrincipalSigner, Sealer } from '@saleschannel/auth';
import { createLookUp, createMigration, openServiceDatabase } from '@saleschannel/database';
import { createClient, createServiceIdentity, createServiceServer } from '@saleschannel/grpc';
import { createKeyCleanup } from '@saleschannel/idempotency';
import { createServiceBroker, createServiceRelay } from '@saleschannel/messaging';
import { systemClock, type Clock } from '@saleschannel/primitives';
import { composeApp, meter, type ServiceDefinition } from '@saleschannel/runtime';
import { createBearerTokens } from './credentials/bearer-tokens.ts';
import { createProviderKeys } from './credentials/provider-keys.ts';
import { environment } from './environment.ts';
import { createSessionDeletionJob } from './jobs/delete-sessions.ts';
import { LastSeenRecorder } from './operations/last-seen-recorder.ts';
import { createRegistrations } from './rpc/index.ts';
import { findApiKeyCredentials, findRegistryKeyCredentials } from './store/credentials.ts';
import { countKeysUnderOldPepper } from './store/keys.ts';
import { schema } from './store/schema.ts';

const NAME = 'identity';
/** Share of the connections for jobs. The rest is for calls. */
const WORK_SHARE = 0.2;

/** @param clock decides which keys and tokens have expired. Tests set it */
export const createService = (clock: Clock = systemClock): ServiceDefinition<typeof environment> => ({
  name: NAME,
  environment,
  async createApp(values, logger) {
    const own = await createServiceIdentity(NAME, values, logger);
    const { database, work } = await openServiceDatabase(values, schema, logger, { work: WORK_SHARE });
    const broker = createServiceBroker(NAME, values, logger);
    const relay = createServiceRelay(NAME, values, broker, logger);
    const rbac = createClient('bindingDirectory', { address: values.RBAC_ADDRESS, tokens: own.tokens }, [
      'FindBinding',
    ]);
    const registryImport = { address: values.REGISTRY_IMPORT_ADDRESS, tokens: own.tokens };
    const accountHolders = createClient('accountHolderDirectory', registryImport, ['GetAccountHolders']);
    const signer = await createPrincipalSigner(values.SERVICE_PRIVATE_KEY, { now: () => clock.now() });
    const providerKeys = createProviderKeys({
      issuer: values.OIDC_ISSUER,
      jwksUrl: values.OIDC_JWKS_URL,
      staleMs: values.OIDC_KEYS_STALE_SECONDS * 1_000,
      now: () => performance.now(),
      logger,
    });
    const bearerTokens = createBearerTokens({
      issuer: values.OIDC_ISSUER,
      audience: values.OIDC_AUDIENCE,
      algorithms: values.OIDC_ALGORITHMS,
      scopes: values.OIDC_REQUIRED_SCOPE,
      acrs: values.OIDC_REQUIRED_ACR,
      keys: providerKeys,
      clock,
    });
    const peppers = values.API_KEY_PEPPER;
    const findApiKey = createLookUp(database, findApiKeyCredentials);
    const findRegistryKey = createLookUp(database, findRegistryKeyCredentials);
    const context = {
      database,
      findApiKey,
      findRegistryKey,
      rbac,
      accountHolders,
      bearerTokens,
      signer,
      peppers,
      sealer: new Sealer(values.ANSWER_KEYS),
      recentSignIn: { of: values.RECENT_SIGN_IN, acrs: values.RECENT_SIGN_IN_ACR },
      lastSeen: new LastSeenRecorder({ database: work, clock, logger }),
      clock,
      isSandbox: values.SANDBOX,
      logger,
    };
    const server = createServiceServer(values, own, createRegistrations(context), logger, database);
    meter()
      .createObservableGauge('saleschannel.issuer_keys.age', {
        unit: 's',
        description: "Time since the issuer's keys were read, or since the start while they never were",
      })
      .addCallback((result) => result.observe(providerKeys.ageSeconds()));
    meter()
      .createObservableGauge('saleschannel.keys_under_old_pepper', {
        description: 'Valid keys hashed with an older pepper than the current one',
      })
      .addCallback(async (result) => {
        for (const { kind, keys } of await countKeysUnderOldPepper(work.em(), peppers.current.version, clock.now()))
          result.observe(keys, { kind });
      });
    const deletion = createSessionDeletionJob({ database: work, clock, logger });
    const keys = createKeyCleanup(work, logger);
    return composeApp([database, work, broker, relay, providerKeys, deletion, keys], server, [rbac, accountHolders]);
  },
  migration: createMigration(schema),
});

export const service = createService();
