import type { Role } from '@saleschannel/auth';
import { type ReplyOf, createClient, type Credentials, type ServiceClient } from '@saleschannel/grpc';
import { queuesOfFamily, type DeadLetter, type DeadLetters, type QueueFamily } from '@saleschannel/messaging';
import { pick } from '../records.ts';

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

interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

interface AccountHolderFields {
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

/** Long enough for a busy machine: a timeout would abort a setup of several steps. */
const STEP_TIMEOUT_MS = 30_000;

/** Tasks of an operator: setup of an installation, and support for users. Methods reject with a DomainError. */
export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(connection: Connection) {
  const clients = createOperatorClients({ ...connection, timeoutMs: STEP_TIMEOUT_MS });
  const { users, rbac, directory, accountHolders } = clients;
  const ensureUser = async ({ issuer, subject }: Subject) => toUser(await users.EnsureUser({ issuer, subject }));
  return {
    /** Creates a user before their first sign-in. */
    ensureUser,
    createSalesChannel: (name: string) => rbac.CreateSalesChannel({ name }),
    listSalesChannels: async () => (await rbac.ListSalesChannels({})).salesChannels,
    /** Finds or creates the account holder with this business id. Rejects if an existing one has other content. */
    ensureAccountHolder: async ({ autoApproval = true, ...fields }: AccountHolderFields) =>
      toAccountHolder(await directory.EnsureAccountHolder({ content: { ...fields, autoApproval } })),
    /** Sets the kind of an account holder. Only users of a REGISTRY can create registry keys. */
    setKind: async (accountHolderId: string, kind: 'HOLDER' | 'REGISTRY') =>
      toAccountHolder(await accountHolders.SetKind({ accountHolderId, kind })),
    /** Binds the user to the channel and adds the roles. */
    async assignRoles({
      salesChannelId,
      roles,
      ...subject
    }: Subject & { salesChannelId: string; roles: readonly Role[] }) {
      const { id: userId } = await ensureUser(subject);
      return rbac.AssignRoles({ userId, salesChannelId, roles: [...roles] });
    },
    /** @param request.accountHolderId undefined removes the user from their account holder */
    async setAccountHolder({ accountHolderId, ...subject }: Subject & { accountHolderId: string | undefined }) {
      const { id: userId } = await ensureUser(subject);
      return toUser(await users.SetAccountHolder({ userId, accountHolderId }));
    },
    async issueApiKey(subject: Subject) {
      const { id: userId } = await ensureUser(subject);
      return { userId, ...toIssuedKey(await users.IssueApiKey({ userId })) };
    },
    /** @param request.expiresAt date-time, at most two years ahead */
    async issueRegistryKey({ accountHolderId, expiresAt }: { accountHolderId: string; expiresAt: string }) {
      return { accountHolderId, ...toIssuedKey(await users.IssueRegistryKey({ accountHolderId, expiresAt })) };
    },
    close: () => clients.close(),
  };
}

const toUser = (user: ReplyOf<'userDirectory.EnsureUser'>) => pick(user, 'id', 'issuer', 'subject', 'accountHolderId');

function toAccountHolder(reply: ReplyOf<'accountHolderDirectory.EnsureAccountHolder'>) {
  const { address } = reply;
  if (!address) throw new Error('registry-import returned an account holder without an address.');
  return {
    ...pick(reply, 'accountHolderId', 'name', 'businessId'),
    address: pick(address, 'postalCode', 'city', 'country', 'street1', 'street2'),
    ...pick(reply, 'autoApproval', 'registeredOn', 'kind', 'status'),
  };
}

/** The secret is returned only once. */
function toIssuedKey({ key, secret }: ReplyOf<'userDirectory.IssueApiKey'>) {
  if (!key) throw new Error('identity returned no key.');
  return { ...pick(key, 'id', 'createdOn', 'expiresAt'), secret };
}

/** Statuses of a sales channel for operators. Services report a closed one as SUSPENDED. */
export const channelStatuses = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

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
