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
import { newId, systemClock, type Clock } from '@saleschannel/primitives';
import { readEnvironment } from '@saleschannel/runtime';
import {
  callAs,
  eventually,
  catchFailure,
  identityVariables,
  neighbour,
  startNeighbours,
  startTestService,
  testNamespace,
  type TestService,
} from '@saleschannel/testing';
import { createService } from '../../src/app.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from './issuer.ts';

interface TestClock extends Clock {
  /** Stops the clock at this time. */
  stopAt(time: Date | string | number): void;
  /** Returns to the real time. */
  resume(): void;
}

/** Creates a clock that tests can stop. Tokens between services always use the real time. */
export function testClock(): TestClock {
  let stoppedAt: Date | undefined;
  return {
    now: () => stoppedAt ?? systemClock.now(),
    stopAt: (time) => void (stoppedAt = new Date(time)),
    resume: () => void (stoppedAt = undefined),
  };
}

type Key = ReplyOf<'identity.DeleteApiKey'>;
type Credential = SentTo<'identity.Authenticate'>;

export interface CreatedKey {
  readonly key: Key;
  readonly secret: string;
}

/** Answer of rbac about a user, or an error. */
export type Rights = { salesChannelId: string; roles: Role[]; isSuspended?: boolean } | DomainError;

/** Answer of registry-import about an account holder, or an error. */
export type AccountHolderAnswer = { kind: string; status: string } | DomainError;

export interface Identity {
  readonly service: TestService;
  readonly namespace: string;
  readonly issuer: TestIssuer;
  /** By user id. Missing users have no binding. */
  readonly rights: Map<string, Rights>;
  /** By account holder id. Missing ones are registries. */
  readonly accountHolders: Map<string, AccountHolderAnswer>;
  readonly gateway: ServiceClient<'identity'>;
  readonly operator: ServiceClient<'identityAdministration'>;
  readonly admin: ServiceClient<'userDirectory'>;
  /** Creates a user, and returns their id. */
  newUser(): Promise<string>;
  /** Returns the principal of a credential, as other services see it. */
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

const startRegistryImport = (accountHolders: ReadonlyMap<string, AccountHolderAnswer>) =>
  startNeighbours(
    neighbour('accountHolderDirectory', ['identity'], {
      async GetAccountHolders({ accountHolderIds }) {
        const found = accountHolderIds.map((accountHolderId) => {
          const answer = accountHolders.get(accountHolderId) ?? { kind: 'REGISTRY', status: 'ACTIVE' };
          if (answer instanceof DomainError) throw answer;
          return { accountHolderId, name: 'A holder', ...answer };
        });
        return { accountHolders: found.filter(({ accountHolderId }) => accountHolderId !== 'unknown') };
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
  const accountHolders = new Map<string, AccountHolderAnswer>();
  const registryImport = await startRegistryImport(accountHolders);
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
  // Waits until the issuer's keys are loaded, even if the first read was slow.
  const expired = withToken(await issuer.token('nobody', { expiresIn: -3_600 }));
  await eventually(
    async () => (await catchFailure(gateway.Authenticate(expired))).code === 'unauthenticated',
    "the issuer's keys",
  );
  return {
    service,
    namespace,
    issuer,
    rights,
    accountHolders,
    gateway,
    admin,
    operator,
    newUser: async () => (await admin.EnsureUser({ issuer: issuer.issuer, subject: newId() })).id,
    async authenticate(credential) {
      const { principalToken } = await gateway.Authenticate(credential);
      return verifier.verifyPrincipal(principalToken);
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
  if (!key) throw new Error('The response has no key.');
  return { key, secret };
}

/** Principals are issued for this service, which reads them like any other. */
const receivers = ['events'];

/** An access token on the sales channel API. */
export const withToken = (bearerToken: string): Credential => ({
  surface: 'SURFACE_SALES_CHANNEL',
  bearerToken,
  receivers,
});

/** A key on the sales channel API. */
export const withKey = ({ id: keyId }: Pick<Key, 'id'>, secret: string): Credential => ({
  surface: 'SURFACE_SALES_CHANNEL',
  receivers,
  key: { keyId, secret },
});

/** A key on the registry API. */
export const withRegistryKey = ({ id: keyId }: Pick<Key, 'id'>, secret: string): Credential => ({
  surface: 'SURFACE_REGISTRY',
  receivers,
  key: { keyId, secret },
});
