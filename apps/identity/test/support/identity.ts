import { randomBytes } from 'node:crypto';
import { createTokenVerifier, type Principal, type Role } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import {
  identityEnvironment,
  type CallOptions,
  type ReplyOf,
  type SentTo,
  type ServiceClient,
} from '@saleschannel/grpc';
import { newId, type Clock } from '@saleschannel/primitives';
import { readEnvironment } from '@saleschannel/runtime';
import {
  callAs,
  eventually,
  failureOf,
  identityVariables,
  neighbour,
  startNeighbours,
  startTestService,
  testNamespace,
  type TestService,
} from '@saleschannel/testing';
import { createService } from '../../src/app.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from './issuer.ts';

type Key = ReplyOf<'identity.DeleteApiKey'>;
type Credential = SentTo<'identity.Authenticate'>;

export interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

/** What rbac says of a user. An error stands for a fault of it. */
export type Rights = { salesChannelId: string; roles: Role[]; isSuspended?: boolean } | DomainError;

/** What registry-import says of an account holder. An error stands for a fault of it. */
export type Standing = { kind: string; status: string } | DomainError;

export interface Identity {
  readonly service: TestService;
  readonly namespace: string;
  readonly issuer: TestIssuer;
  /** By user id. Users that are not here have no binding. */
  readonly rights: Map<string, Rights>;
  /** By account holder id. Those that are not here are registries. */
  readonly standings: Map<string, Standing>;
  readonly gateway: ServiceClient<'identity'>;
  readonly operator: ServiceClient<'identityAdministration'>;
  readonly admin: ServiceClient<'userDirectory'>;
  /** The id of a new user. */
  newUser(): Promise<string>;
  /** The principal behind a credential, as each other service sees it. */
  authenticate(credential: Credential): Promise<Principal>;
  createApiKey(options: CallOptions): Promise<CreatedKey>;
  createRegistryKey(expiresAt: string, options: CallOptions): Promise<CreatedKey>;
  issueApiKey(userId: string): Promise<CreatedKey>;
  issueRegistryKey(accountHolderId: string, expiresAt: string): Promise<CreatedKey>;
  stop(): Promise<void>;
}

const startRbac = (rights: ReadonlyMap<string, Rights>) =>
  startNeighbours(
    neighbour('bindingDirectory', ['identity'], {
      async FindBinding({ userId }) {
        const found = rights.get(userId);
        if (found instanceof DomainError) throw found;
        if (!found) return {};
        const { salesChannelId, roles, isSuspended = false } = found;
        const status = isSuspended ? 'SUSPENDED' : 'ACTIVE';
        return {
          binding: { userId, salesChannelId, roles },
          salesChannel: { id: salesChannelId, name: 'One', status },
        };
      },
    }),
  );

const startRegistryImport = (standings: ReadonlyMap<string, Standing>) =>
  startNeighbours(
    neighbour('accountHolderDirectory', ['identity'], {
      async GetAccountHolders({ accountHolderIds }) {
        const accountHolders = accountHolderIds.map((accountHolderId) => {
          const standing = standings.get(accountHolderId) ?? { kind: 'REGISTRY', status: 'ACTIVE' };
          if (standing instanceof DomainError) throw standing;
          return { accountHolderId, name: 'A holder', ...standing };
        });
        return { accountHolders: accountHolders.filter(({ accountHolderId }) => accountHolderId !== 'unknown') };
      },
    }),
  );

export async function startIdentity(
  options: { clock?: Clock; databaseUrl?: string; variables?: Record<string, string> } = {},
): Promise<Identity> {
  const { SERVICE_PUBLIC_KEYS } = readEnvironment(identityEnvironment, identityVariables('identity'));
  const verifier = createTokenVerifier(SERVICE_PUBLIC_KEYS, 'events');
  const issuer = await startIssuer();
  const rights = new Map<string, Rights>();
  const rbac = await startRbac(rights);
  const standings = new Map<string, Standing>();
  const registryImport = await startRegistryImport(standings);
  const namespace = testNamespace();
  const service = await startTestService(createService(options.clock), {
    namespace,
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
    variables: {
      RBAC_ADDRESS: rbac.address,
      REGISTRY_IMPORT_ADDRESS: registryImport.address,
      OIDC_ISSUER: issuer.issuer,
      OIDC_AUDIENCE: AUDIENCE,
      API_KEY_PEPPER: randomBytes(32).toString('base64'),
      ANSWER_KEYS: randomBytes(32).toString('base64url'),
      ...options.variables,
    },
  });
  const gateway = await callAs('gateway', 'identity', service.address);
  const admin = await callAs('admin', 'userDirectory', service.address);
  const operator = await callAs('admin', 'identityAdministration', service.address);
  // Refused is what can be judged: the issuer's keys are there, also when the first try took too long.
  const expired = withToken(await issuer.token('nobody', { expiresIn: -3_600 }));
  await eventually(
    async () => (await failureOf(gateway.Authenticate(expired))).code === 'unauthenticated',
    "the issuer's keys",
  );
  return {
    service,
    namespace,
    issuer,
    rights,
    standings,
    gateway,
    admin,
    operator,
    newUser: async () => (await admin.EnsureUser({ issuer: issuer.issuer, subject: newId() })).id,
    async authenticate(credential) {
      const { principalToken } = await gateway.Authenticate(credential);
      return verifier.principal(principalToken);
    },
    createApiKey: async (call) => createdKeyOf(await gateway.CreateApiKey({}, call)),
    createRegistryKey: async (expiresAt, call) => createdKeyOf(await gateway.CreateRegistryKey({ expiresAt }, call)),
    issueApiKey: async (userId) => createdKeyOf(await admin.IssueApiKey({ userId })),
    issueRegistryKey: async (accountHolderId, expiresAt) =>
      createdKeyOf(await admin.IssueRegistryKey({ accountHolderId, expiresAt })),
    async stop() {
      gateway.close();
      admin.close();
      operator.close();
      await service.stop();
      await rbac.stop();
      await registryImport.stop();
      await issuer.stop();
    },
  };
}

function createdKeyOf({ key, secret }: ReplyOf<'identity.CreateApiKey'>): CreatedKey {
  if (!key) throw new Error('no key was answered');
  return { key, secret };
}

/** The principals of these tests are for this service, which looks at them as any other one would. */
const receivers = ['events'];

/** An access token as the sales channel API gets it. */
export const withToken = (bearerToken: string): Credential => ({
  surface: 'SURFACE_SALES_CHANNEL',
  bearerToken,
  receivers,
});

/** A key as the sales channel API gets it. */
export const withKey = ({ id: keyId }: Pick<Key, 'id'>, secret: string): Credential => ({
  surface: 'SURFACE_SALES_CHANNEL',
  receivers,
  key: { keyId, secret },
});

/** A key as the registry API gets it. */
export const withRegistryKey = ({ id: keyId }: Pick<Key, 'id'>, secret: string): Credential => ({
  surface: 'SURFACE_REGISTRY',
  receivers,
  key: { keyId, secret },
});
