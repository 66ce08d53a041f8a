import type { Role } from '@saleschannel/auth';
import { type ReplyOf, createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';
import { queuesOfFamily, type DeadLetter, type DeadLetters, type QueueFamily } from '@saleschannel/messaging';

export interface OperatorClients {
  readonly identity: ServiceClient<'identityAdministration'>;
  readonly users: ServiceClient<'userDirectory'>;
  readonly rbac: ServiceClient<'rbacAdministration'>;
  readonly accountHolders: ServiceClient<'accountHolderAdministration'>;
  readonly directory: ServiceClient<'accountHolderDirectory'>;
  readonly imports: ServiceClient<'importAdministration'>;
  close(): void;
}

interface Connection {
  readonly addresses: { readonly identity: string; readonly rbac: string; readonly registryImport: string };
  /** Credentials of `admin`, which the services require. */
  readonly tokens: Credentials;
  /** Deadline of calls, in milliseconds. By default that of a user's request. */
  readonly timeoutMs?: number;
}

export function createOperatorClients({
  addresses: { identity, rbac, registryImport },
  ...rest
}: Connection): OperatorClients {
  const clients = {
    identity: createClient('identityAdministration', { address: identity, ...rest }),
    users: createClient('userDirectory', { address: identity, ...rest }),
    rbac: createClient('rbacAdministration', { address: rbac, ...rest }),
    accountHolders: createClient('accountHolderAdministration', { address: registryImport, ...rest }),
    directory: createClient('accountHolderDirectory', { address: registryImport, ...rest }),
    imports: createClient('importAdministration', { address: registryImport, ...rest }),
  };
  return {
    ...clients,
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

/** Identifies a user at their identity provider. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

export interface User extends Subject {
  readonly id: string;
  /** Undefined for a user who belongs to no account holder. */
  readonly accountHolderId: string | undefined;
}

export interface AccountHolderFields {
  readonly name: string;
  readonly businessId: string;
  readonly address: {
    readonly postalCode: string;
    readonly city: string;
    readonly country: string;
    readonly street1: string;
    readonly street2?: string | undefined;
  };
  /** False if the holder approves its transactions. Default true. */
  readonly autoApproval?: boolean | undefined;
}

export interface AccountHolder extends AccountHolderFields {
  readonly accountHolderId: string;
  readonly autoApproval: boolean;
  readonly registeredOn: string;
  /** Users of a REGISTRY can create registry keys. */
  readonly kind: string;
  readonly status: string;
}

/** Times are ISO 8601 in UTC. */
export interface IssuedKey {
  readonly id: string;
  readonly createdOn: string;
  readonly expiresAt: string;
  /** Returned only once, when the key is issued. */
  readonly secret: string;
}

/** Tasks of an operator: setup of an installation, and support for users. Methods reject with a DomainError. */
export interface Administration {
  createSalesChannel(name: string): Promise<ReplyOf<'rbacAdministration.CreateSalesChannel'>>;
  listSalesChannels(): Promise<ReplyOf<'rbacAdministration.ListSalesChannels'>['salesChannels']>;
  /** Finds or creates the account holder with this business id. Rejects if an existing one has other content. */
  ensureAccountHolder(fields: AccountHolderFields): Promise<AccountHolder>;
  /** Sets the kind of an account holder. Only users of a REGISTRY can create registry keys. */
  setKind(accountHolderId: string, kind: 'HOLDER' | 'REGISTRY'): Promise<AccountHolder>;
  /** Creates a user before their first sign-in. */
  ensureUser(subject: Subject): Promise<User>;
  /** Binds the user to the channel and adds the roles. */
  assignRoles(
    request: Subject & { salesChannelId: string; roles: readonly Role[] },
  ): Promise<ReplyOf<'rbacAdministration.AssignRoles'>>;
  /** @param request.accountHolderId undefined removes the user from their account holder */
  setAccountHolder(request: Subject & { accountHolderId: string | undefined }): Promise<User>;
  issueApiKey(subject: Subject): Promise<IssuedKey & { userId: string }>;
  /** @param request.expiresAt date-time, at most two years ahead */
  issueRegistryKey(request: {
    accountHolderId: string;
    expiresAt: string;
  }): Promise<IssuedKey & { accountHolderId: string }>;
  close(): void;
}

/** Long enough for a busy machine: a timeout would abort a setup of several steps. */
const STEP_TIMEOUT_MS = 30_000;

export function createAdministration(connection: Connection): Administration {
  const clients = createOperatorClients({ ...connection, timeoutMs: STEP_TIMEOUT_MS });
  const { users, rbac, directory, accountHolders } = clients;

  const ensureUser = async ({ issuer, subject }: Subject): Promise<User> =>
    toUser(await users.EnsureUser({ issuer, subject }));

  return {
    ensureUser,
    createSalesChannel: (name) => rbac.CreateSalesChannel({ name }),
    async listSalesChannels() {
      const { salesChannels } = await rbac.ListSalesChannels({});
      return salesChannels;
    },
    ensureAccountHolder: async ({ autoApproval = true, ...fields }) =>
      toAccountHolder(await directory.EnsureAccountHolder({ content: { ...fields, autoApproval } })),
    setKind: async (accountHolderId, kind) => toAccountHolder(await accountHolders.SetKind({ accountHolderId, kind })),
    async assignRoles({ salesChannelId, roles, ...subject }) {
      const { id: userId } = await ensureUser(subject);
      return rbac.AssignRoles({ userId, salesChannelId, roles: [...roles] });
    },
    async setAccountHolder({ accountHolderId, ...subject }) {
      const { id: userId } = await ensureUser(subject);
      return toUser(await users.SetAccountHolder({ userId, accountHolderId }));
    },
    async issueApiKey(subject) {
      const { id: userId } = await ensureUser(subject);
      return { userId, ...toIssuedKey(await users.IssueApiKey({ userId })) };
    },
    async issueRegistryKey({ accountHolderId, expiresAt }) {
      return { accountHolderId, ...toIssuedKey(await users.IssueRegistryKey({ accountHolderId, expiresAt })) };
    },
    close: () => clients.close(),
  };
}

const toUser = ({ id, issuer, subject, accountHolderId }: ReplyOf<'userDirectory.EnsureUser'>): User => ({
  id,
  issuer,
  subject,
  accountHolderId,
});

function toAccountHolder(reply: ReplyOf<'accountHolderDirectory.EnsureAccountHolder'>): AccountHolder {
  const { accountHolderId, name, businessId, address, autoApproval, registeredOn, kind, status } = reply;
  if (!address) throw new Error('registry-import returned an account holder without an address.');
  const { postalCode, city, country, street1, street2 } = address;
  return {
    accountHolderId,
    name,
    businessId,
    address: { postalCode, city, country, street1, street2 },
    autoApproval,
    registeredOn,
    kind,
    status,
  };
}

function toIssuedKey({ key, secret }: ReplyOf<'userDirectory.IssueApiKey'>): IssuedKey {
  if (!key) throw new Error('identity returned no key.');
  return { id: key.id, createdOn: key.createdOn, expiresAt: key.expiresAt, secret };
}

/** Statuses of a sales channel for operators. Services report a closed one as SUSPENDED. */
export const channelStatuses = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

/** Returns the sales channel with its status for operators. */
export const withOperatorStatus = <Channel extends { readonly status: string; readonly closedAt?: string | undefined }>(
  channel: Channel,
): Channel => (channel.closedAt === undefined ? channel : { ...channel, status: 'CLOSED' });

export async function listDeadLetters(
  letters: DeadLetters,
  family: QueueFamily,
  atMost: number,
): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const queue of queuesOfFamily(family)) found.push(...(await letters.list(queue, atMost - found.length)));
  return found;
}

/** Moves dead letters back to a queue and its partitions. Returns their number. */
export async function replayDeadLetters(letters: DeadLetters, family: QueueFamily, atMost: number): Promise<number> {
  let replayed = 0;
  for (const queue of queuesOfFamily(family)) replayed += await letters.replay(queue, atMost - replayed);
  return replayed;
}
