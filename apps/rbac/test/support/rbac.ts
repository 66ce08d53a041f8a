import { randomBytes } from 'node:crypto';
import { roles, type Role } from '@saleschannel/auth';
import { notFound, type DomainError } from '@saleschannel/errors';
import type { CallOptions, ReplyOf, ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import {
  asUser,
  callAs,
  neighbour,
  startListener,
  startNeighbours,
  startTestService,
  testNamespace,
  type TestService,
} from '@saleschannel/testing';
import { service } from '../../src/app.ts';

type Binding = ReplyOf<'rbac.GetOwnBinding'>;

interface Profile {
  readonly email?: string;
  readonly emailVerified?: boolean;
}

/** Open records of a channel. A negative number means that many or more. */
interface ChannelUse {
  readonly tasks: number;
  readonly pendingTransactions: number;
  readonly reservedBundles: number;
  readonly listedBundles: number;
}

const counted = (count = 0) => ({ count: Math.abs(count), isMore: count < 0 });

export interface Rbac {
  readonly service: TestService;
  readonly gateway: ServiceClient<'rbac'>;
  readonly identity: ServiceClient<'bindingDirectory'>;
  readonly admin: ServiceClient<'rbacAdministration'>;
  readonly sandbox: ServiceClient<'rbac'>;
  /** Adds a user to identity, and returns their id. */
  newUser(profile?: Profile): string;
  newChannel(): Promise<string>;
  /** Creates a user bound with these roles. */
  member(salesChannelId: string, ...roles: Role[]): Promise<string>;
  /** Returns call options of the channel's administrator, the same each time. */
  administrator(salesChannelId: string): Promise<CallOptions>;
  /** Returns null for a user without a binding. */
  bindingOf(userId: string): Promise<Binding | null>;
  /** Makes identity fail until called with `undefined`. */
  failIdentity(fault: DomainError | undefined): void;
  /** Counts by tasks and inventory, by channel id. Missing channels have none. */
  readonly used: Map<string, Partial<ChannelUse>>;
  /** Called when another service counts open records of a channel. */
  onCount: (salesChannelId: string) => Promise<void>;
  /** Suspends a channel long enough ago to close it. */
  suspendLongAgo(salesChannelId: string): Promise<void>;
  /** Number of announced changes of a user's rights. */
  changesOf(userId: string): number;
  stop(): Promise<void>;
}

/** @param further additional variables of the service */
export async function startRbac(further: Record<string, string> = {}): Promise<Rbac> {
  const users = new Map<string, Profile>();
  const administrators = new Map<string, Promise<string>>();
  const used = new Map<string, Partial<ChannelUse>>();
  let fault: DomainError | undefined;
  const neighbours = await startNeighbours(
    neighbour('userDirectory', ['rbac'], {
      async GetUser({ userId }) {
        if (fault) throw fault;
        if (!users.has(userId)) throw notFound();
        return { id: userId, issuer: 'https://issuer.example', subject: userId };
      },
      async GetUsers({ userIds }) {
        if (fault) throw fault;
        const known = userIds.filter((userId) => users.has(userId));
        const issuer = 'https://issuer.example';
        return { users: known.map((id) => ({ id, issuer, subject: `subject of ${id}`, ...users.get(id) })) };
      },
    }),
    neighbour('channelTasks', ['rbac'], {
      async CountOpenTasks({ salesChannelId }) {
        await rbac.onCount(salesChannelId);
        return { tasks: counted(used.get(salesChannelId)?.tasks) };
      },
    }),
    neighbour('channelUse', ['rbac'], {
      async CountChannelUse({ salesChannelId }) {
        await rbac.onCount(salesChannelId);
        const there = used.get(salesChannelId);
        return {
          pendingTransactions: counted(there?.pendingTransactions),
          reservedBundles: counted(there?.reservedBundles),
          listedBundles: counted(there?.listedBundles),
        };
      },
    }),
  );
  const namespace = testNamespace();
  const listener = await startListener(namespace, ['rbac.binding.changed.v1']);
  const variables = {
    IDENTITY_ADDRESS: neighbours.address,
    TASKS_ADDRESS: neighbours.address,
    INVENTORY_ADDRESS: neighbours.address,
    ANSWER_KEYS: randomBytes(32).toString('base64url'),
    ...further,
  };
  const running = await startTestService(service, { namespace, variables });
  const gateway = await callAs('gateway', 'rbac', running.address);
  const identity = await callAs('identity', 'bindingDirectory', running.address);
  const admin = await callAs('admin', 'rbacAdministration', running.address);
  const sandbox = await callAs('sandbox', 'rbac', running.address);
  const rbac: Rbac = {
    service: running,
    gateway,
    identity,
    admin,
    sandbox,
    newUser(profile = {}) {
      const userId = newId();
      users.set(userId, profile);
      return userId;
    },
    newChannel: async () => (await admin.CreateSalesChannel({ name: `A channel ${newId()}` })).id,
    async member(salesChannelId, ...roles) {
      const userId = rbac.newUser();
      await admin.AssignRoles({ userId, salesChannelId, roles });
      return userId;
    },
    async administrator(salesChannelId) {
      const known = administrators.get(salesChannelId) ?? rbac.member(salesChannelId, 'ROLE_ADMINISTRATOR');
      administrators.set(salesChannelId, known);
      return asAdministrator(salesChannelId, await known);
    },
    bindingOf: async (userId) => (await identity.FindBinding({ userId })).binding,
    used,
    onCount: () => Promise.resolve(),
    async suspendLongAgo(salesChannelId) {
      await admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
      await running.sql(`update sales_channel set suspended_at = suspended_at - interval '31 seconds' where id = $1`, [
        salesChannelId,
      ]);
    },
    failIdentity: (error) => void (fault = error),
    changesOf: (userId) => listener.entries.filter(({ event }) => event.userId === userId).length,
    async stop() {
      gateway.close();
      identity.close();
      admin.close();
      sandbox.close();
      await running.stop();
      await listener.stop();
      await neighbours.stop();
    },
  };
  return rbac;
}

/** Returns call options of a user whose token has the administrator role. */
export const asAdministrator = (salesChannelId: string, userId = newId()): Promise<CallOptions> =>
  asUser(salesChannelId, ['ROLE_ADMINISTRATOR'], userId);

/** Returns the distinct answers among refusals. Refusals that reveal nothing are all alike. */
export const answersOf = (failures: readonly { code?: string; message: string }[]): Set<string> =>
  new Set(failures.map(({ code, message }) => `${code} ${message}`));

export const everyRoleBut = (role: Role): Role[] => roles.filter((other) => other !== role);
