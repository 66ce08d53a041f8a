import type { Role, ServiceTokens } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import type { CreatedKey__Output } from '@saleschannel/contracts/gen/identity/v1/CreatedKey';
import type { User__Output } from '@saleschannel/contracts/gen/identity/v1/User';
import type { Binding__Output } from '@saleschannel/contracts/gen/rbac/v1/Binding';
import type { SalesChannel__Output } from '@saleschannel/contracts/gen/rbac/v1/SalesChannel';
import type { AccountHolder__Output } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolder';
import { createClient } from '@saleschannel/grpc';

/** `host:port` of the services that the administration talks to. */
export interface Addresses {
  readonly identity: string;
  readonly rbac: string;
  readonly registryImport: string;
}

/** A user as his identity provider knows him. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
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
  /** False: its transactions wait for its word. Default true. */
  readonly autoApproval?: boolean | undefined;
}

/** Times are ISO 8601 in UTC. */
export interface IssuedKey {
  readonly id: string;
  readonly createdOn: string;
  readonly expiresAt: string;
  /** Shown now and never again. */
  readonly secret: string;
}

/**
 * What an operator does at the first steps of an installation, and later for those who can't do it themselves.
 * Every method fails with a DomainError.
 */
export interface Administration {
  createSalesChannel(name: string): Promise<SalesChannel__Output>;
  listSalesChannels(): Promise<SalesChannel__Output[]>;
  /** The one with this business id; made when there is none. Other content is refused. */
  ensureAccountHolder(fields: AccountHolderFields): Promise<AccountHolder__Output>;
  /** Makes a user known who has not signed in yet. */
  ensureUser(subject: Subject): Promise<User__Output>;
  /** Binds the user to the channel and adds the roles to those he has. */
  assignRoles(request: Subject & { salesChannelId: string; roles: readonly Role[] }): Promise<Binding__Output>;
  /** @param request.accountHolderId undefined takes the user out of his account holder */
  setAccountHolder(request: Subject & { accountHolderId: string | undefined }): Promise<User__Output>;
  issueApiKey(subject: Subject): Promise<IssuedKey & { userId: string }>;
  /** @param request.expiresAt date-time, at most two years ahead */
  issueRegistryKey(request: {
    accountHolderId: string;
    expiresAt: string;
  }): Promise<IssuedKey & { accountHolderId: string }>;
  close(): void;
}

function issued({ key, secret }: CreatedKey__Output): IssuedKey {
  if (!key) throw new Error('identity answered without a key');
  return { id: key.id, createdOn: key.createdOn, expiresAt: key.expiresAt, secret };
}

/** @param connection.tokens made with the key of the service name `admin`, which the services ask for */
export function createAdministration(connection: { addresses: Addresses; tokens: ServiceTokens }): Administration {
  const { addresses, tokens } = connection;
  const users = createClient(services.userDirectory, { address: addresses.identity, tokens });
  const rbac = createClient(services.rbacAdministration, { address: addresses.rbac, tokens });
  const accountHolders = createClient(services.accountHolderDirectory, { address: addresses.registryImport, tokens });

  const ensureUser = ({ issuer, subject }: Subject): Promise<User__Output> => users.EnsureUser({ issuer, subject });

  return {
    ensureUser,
    createSalesChannel: (name) => rbac.CreateSalesChannel({ name }),
    async listSalesChannels() {
      const { salesChannels } = await rbac.ListSalesChannels({});
      return salesChannels;
    },
    ensureAccountHolder: ({ autoApproval = true, address: { street2, ...address }, ...fields }) =>
      accountHolders.EnsureAccountHolder({
        ...fields,
        autoApproval,
        address: { ...address, ...(street2 === undefined ? {} : { street2 }) },
      }),
    async assignRoles({ salesChannelId, roles, ...subject }) {
      const { id: userId } = await ensureUser(subject);
      return rbac.AssignRoles({ userId, salesChannelId, roles: [...roles] });
    },
    async setAccountHolder({ accountHolderId, ...subject }) {
      const { id: userId } = await ensureUser(subject);
      return users.SetAccountHolder({ userId, accountHolderId: accountHolderId ?? '' });
    },
    async issueApiKey(subject) {
      const { id: userId } = await ensureUser(subject);
      return { userId, ...issued(await users.IssueApiKey({ userId })) };
    },
    async issueRegistryKey({ accountHolderId, expiresAt }) {
      return { accountHolderId, ...issued(await users.IssueRegistryKey({ accountHolderId, expiresAt })) };
    },
    close() {
      users.close();
      rbac.close();
      accountHolders.close();
    },
  };
}
