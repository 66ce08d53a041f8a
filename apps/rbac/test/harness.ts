import { createTokenVerifier, serviceOnly, type Role } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { notFound, type DomainError } from '@saleschannel/errors';
import { createGrpcServer, implement } from '@saleschannel/grpc';
import { createBroker, listenToBroadcasts } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { silentLogger } from '@saleschannel/runtime';
import {
  asUser,
  callAs,
  identityVariables,
  startTestService,
  testBrokerUrl,
  testNamespace,
} from '@saleschannel/testing';
import { Client } from 'pg';
import { service as definition } from '../src/app.ts';

/** The service that knows users, as far as rbac asks it. */
async function startUserDirectory() {
  const users = new Set<string>();
  let fault: DomainError | undefined;
  const notAsked = { callers: [], access: serviceOnly, handler: () => Promise.reject(new Error('not asked here')) };
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tokens: createTokenVerifier(JSON.parse(identityVariables('identity')['SERVICE_PUBLIC_KEYS']!) as never),
    logger: silentLogger,
    services: [
      implement(services.userDirectory, {
        GetUser: {
          callers: ['rbac'],
          access: serviceOnly,
          async handler({ userId }) {
            if (fault) throw fault;
            if (!users.has(userId)) throw notFound();
            return { id: userId, issuer: 'https://issuer.example', subject: userId };
          },
        },
        EnsureUser: notAsked,
        SetAccountHolder: notAsked,
        IssueApiKey: notAsked,
        IssueRegistryKey: notAsked,
      }),
    ],
  });
  await server.start();
  return {
    users,
    fail: (error: DomainError | undefined) => void (fault = error),
    address: server.address,
    stop: () => server.stop(),
  };
}

/** Whose rights were said to have changed. */
async function listen(namespace: string) {
  const changes: string[] = [];
  const broker = createBroker({ url: testBrokerUrl(), namespace, service: 'gateway', logger: silentLogger });
  let ready!: () => void;
  const listening = new Promise<void>((resolve) => (ready = resolve));
  listenToBroadcasts({
    broker,
    service: 'gateway',
    events: ['rbac.binding.changed.v1'],
    onEntry: ({ event }) => changes.push(event.userId),
    logger: silentLogger,
  });
  broker.use(async () => ready());
  await broker.start();
  await listening;
  return { changes, stop: () => broker.stop() };
}

export async function startHarness() {
  const directory = await startUserDirectory();
  const namespace = testNamespace();
  const listener = await listen(namespace);
  const service = await startTestService(definition, { namespace, variables: { IDENTITY_ADDRESS: directory.address } });
  const gateway = await callAs('gateway', services.rbac, service.address);
  const identity = await callAs('identity', services.bindingDirectory, service.address);
  const admin = await callAs('admin', services.rbacAdministration, service.address);
  const sql = new Client({ connectionString: service.databaseUrl });
  await sql.connect();

  function newUser(): string {
    const id = newId();
    directory.users.add(id);
    return id;
  }

  return {
    directory,
    changes: listener.changes,
    service,
    gateway,
    identity,
    admin,
    sql,
    newUser,
    async newChannel(): Promise<string> {
      return (await admin.CreateSalesChannel({ name: 'A channel' })).id;
    },
    /** A user who is bound with these roles. */
    async member(salesChannelId: string, ...roles: Role[]): Promise<string> {
      const userId = newUser();
      await admin.AssignRoles({ userId, salesChannelId, roles });
      return userId;
    },
    rolesOf: async (userId: string) => (await identity.ReadBinding({ userId })).roles,
    channelOf: async (userId: string) => (await identity.ReadBinding({ userId })).salesChannelId,
    async stop() {
      gateway.close();
      identity.close();
      admin.close();
      await sql.end();
      await service.stop();
      await listener.stop();
      await directory.stop();
    },
  };
}

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** Call options of an administrator of the channel. */
export const asAdministrator = (salesChannelId: string, userId = newId()) =>
  asUser(salesChannelId, ['ROLE_ADMINISTRATOR'], userId);
