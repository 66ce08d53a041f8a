import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accessRules, createTokenVerifier, serviceOnlyRule, type Role } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { DomainError, notFound } from '@saleschannel/errors';
import { silentLogger } from '@saleschannel/runtime';
import { asUser, callAs, publicKeys } from '@saleschannel/testing';
import {
  createClient,
  createGrpcServer,
  salesChannelOf,
  type Call,
  type GrpcServer,
  type Registration,
  type ServiceClient,
} from '../src/index.ts';
import { createCredentials, transports } from './support/servers.ts';

const TIMEOUT_MS = 20_000;

type Handler = (request: Record<string, string>, call: Call) => Promise<unknown>;

let newHost: () => string;

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts the service tasks, with the test's GetTask. */
async function startTasks(getTask: Handler): Promise<GrpcServer> {
  const names = Object.keys(services.tasks.definition);
  const rpcs = Object.fromEntries(
    names.map((name) => [
      name,
      name === 'GetTask'
        ? { callers: ['gateway'], access: accessRules.getTradeTask, handler: getTask }
        : { callers: ['gateway'], access: serviceOnlyRule, handler: () => Promise.reject(new Error('not called')) },
    ]),
  );
  const server = createGrpcServer({
    host: newHost(),
    port: 0,
    services: [{ contract: services.tasks, rpcs } as Registration],
    tokens: createTokenVerifier(publicKeys, 'tasks'),
    logger: silentLogger,
  });
  await server.start();
  closing.push(() => server.stop());
  return server;
}

async function createTasksClient({ address }: Pick<GrpcServer, 'address'>, program: 'gateway' | 'events' = 'gateway') {
  const tokens = await createCredentials(program, undefined);
  const client = createClient('tasks', { address, tokens, timeoutMs: TIMEOUT_MS }, ['GetTask']);
  closing.push(() => client.close());
  return client;
}

const toTask = (id: string, salesChannelId: string) => ({ id, status: 'SUCCESS', message: salesChannelId });
const requestTask = (client: ServiceClient<'tasks'>, taskId: string, options: object) =>
  client.GetTask({ type: 'TRANSFER_TYPE_TRADE', traderId: 't', taskId }, options);

/** Outcome of each call: its task, or the code of its error. */
const outcomes = async (calls: readonly Promise<{ id: string; message: string }>[]): Promise<unknown[]> =>
  (await Promise.allSettled(calls)).map((each) =>
    each.status === 'fulfilled' ? `${each.value.id} of ${each.value.message}` : (each.reason as DomainError).code,
  );

const trader = (channel: string, roles: readonly Role[] = ['TRANSACTION_ADMINISTRATOR']) => asUser(channel, roles);

describe.each(transports)('%s', (_transport, hostOf) => {
  beforeEach(() => {
    newHost = hostOf;
  });

  describe('gathered calls', () => {
    test('each have their own principal, request and error', async () => {
      const seen: (readonly [string | undefined, string | undefined])[] = [];
      const server = await startTasks(async ({ taskId = '' }, call) => {
        seen.push([call.requestId, call.clientAddress]);
        if (taskId === 'missing') throw notFound();
        if (taskId === 'broken') throw new Error('an internal error');
        if (taskId === 'bad')
          throw new DomainError('invalid-request', 'no', { violations: [{ detail: 'd', code: 'invalid' }] });
        return toTask(taskId, salesChannelOf(call));
      });
      const client = await createTasksClient(server);
      const [one, other, viewer] = [await trader('c1'), await trader('c2'), await trader('c1', ['TRADER_VIEWER'])];
      const about = { requestId: 'r1', clientAddress: '192.0.2.1' };
      const calls = [
        requestTask(client, 'a', { ...one, ...about }),
        requestTask(client, 'missing', one),
        requestTask(client, 'b', other),
        requestTask(client, 'c', viewer),
        requestTask(client, 'broken', one),
        requestTask(client, 'bad', one),
        requestTask(client, 'd', {}),
        requestTask(client, 'e', { principalToken: 'forged' }),
        requestTask(client, 'f', one),
      ];
      expect(await outcomes(calls)).toEqual([
        'a of c1',
        'not-found',
        'b of c2',
        'forbidden',
        'internal',
        'invalid-request',
        'unauthenticated',
        'unauthenticated',
        'f of c1',
      ]);
      expect(seen).toContainEqual(['r1', '192.0.2.1']);
      await expect(calls[5]).rejects.toMatchObject({ message: 'no', violations: [{ detail: 'd', code: 'invalid' }] });
    });

    test('are answered one by one, without waiting for a slow one', async () => {
      const slow = Promise.withResolvers<void>();
      const server = await startTasks(async ({ taskId = '' }, call) => {
        if (taskId === 'slow') await slow.promise;
        return toTask(taskId, salesChannelOf(call));
      });
      const client = await createTasksClient(server);
      const user = await trader('c1');
      const held = requestTask(client, 'slow', user);
      expect(await outcomes([requestTask(client, 'quick', user), requestTask(client, 'too', user)])).toEqual([
        'quick of c1',
        'too of c1',
      ]);
      slow.resolve();
      expect(await outcomes([held])).toEqual(['slow of c1']);
    });

    test('end by their own deadlines', async () => {
      const never = Promise.withResolvers<void>();
      const server = await startTasks(async ({ taskId = '' }, call) => {
        if (taskId === 'never') await never.promise;
        return toTask(taskId, salesChannelOf(call));
      });
      // Registered to run before the server's stop, which waits for calls under way.
      closing.push(() => never.resolve());
      const client = await createTasksClient(server);
      const user = await trader('c1');
      const calls = [requestTask(client, 'never', { ...user, timeoutMs: 300 }), requestTask(client, 'a', user)];
      expect(await outcomes(calls)).toEqual(['unavailable', 'a of c1']);
    });

    test('are refused for a program that may not call the RPC', async () => {
      const server = await startTasks(async () => toTask('a', 'c1'));
      expect(await outcomes([requestTask(await createTasksClient(server, 'events'), 'a', await trader('c1'))])).toEqual(
        ['forbidden'],
      );
    });

    test('are retried when unavailable', async () => {
      let times = 0;
      const server = await startTasks(async ({ taskId = '' }, call) => {
        times += 1;
        if (times < 3) throw new DomainError('unavailable', 'not now');
        return toTask(taskId, salesChannelOf(call));
      });
      expect(await outcomes([requestTask(await createTasksClient(server), 'a', await trader('c1'))])).toEqual([
        'a of c1',
      ]);
      expect(times).toBe(3);
    });

    test('fail as unavailable without the service, each at its deadline', async () => {
      const server = await startTasks(async () => toTask('a', 'c1'));
      const client = await createTasksClient(server);
      await server.stop();
      const user = { ...(await trader('c1')), timeoutMs: 500 };
      expect(await outcomes([requestTask(client, 'a', user), requestTask(client, 'b', user)])).toEqual([
        'unavailable',
        'unavailable',
      ]);
    });
  });

  describe('the RPC of gathered calls', () => {
    const token = async () => (await trader('c1')).principalToken;
    const callTogether = async (server: GrpcServer, calls: readonly object[]) => {
      const client = await callAs('gateway', 'gatheredCalls', server.address, 'tasks');
      closing.push(() => client.close());
      const results = [];
      for await (const message of client.CarryOut({ calls: [...calls] })) results.push(...message.results);
      return results.map(({ call, problem, response }) => [call, problem?.code ?? response?.length]);
    };

    test.each([
      ['/tasks.v1.TasksService/NoSuchRpc'],
      ['/common.v1.GatheredCallsService/CarryOut'],
      ['/inventory.v1.InventoryService/GetSupplier'],
      ['__proto__'],
      [''],
    ])('does not serve %s', async (path) => {
      const server = await startTasks(async () => toTask('a', 'c1'));
      const call = { path, request: Buffer.alloc(0), timeoutMs: 1_000, principalToken: await token() };
      expect(await callTogether(server, [call])).toEqual([[0, 'method-not-allowed']]);
    });

    test('refuses only the malformed message', async () => {
      const server = await startTasks(async ({ taskId = '' }, call) => toTask(taskId, salesChannelOf(call)));
      const path = '/tasks.v1.TasksService/GetTask';
      const common = { path, timeoutMs: 10_000, principalToken: await token() };
      const good = services.tasks.definition['GetTask']?.requestSerialize({ taskId: 'a' });
      const results = await callTogether(server, [
        { ...common, request: Buffer.from([0xff, 0xff]) },
        { ...common, request: good },
      ]);
      expect(results).toContainEqual([0, 'internal']);
      expect(results).toContainEqual([1, expect.any(Number)]);
    });

    test('refuses too many calls', async () => {
      const server = await startTasks(async () => toTask('a', 'c1'));
      const calls = Array.from({ length: 1_001 }, () => ({ path: '', request: Buffer.alloc(0), timeoutMs: 1 }));
      await expect(callTogether(server, calls)).rejects.toMatchObject({ code: 'invalid-request' });
    });
  });
});

test('a service of an earlier release without gathered calls is called singly', async () => {
  const user = await trader('c1');
  const server = new Server();
  const { GetTask } = services.tasks.definition;
  const answer = (_call: unknown, callback: (error: null, task: object) => void): void =>
    callback(null, toTask('a', 'c1'));
  server.addService({ GetTask } as ServiceDefinition, { GetTask: answer } as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  closing.push(() => server.forceShutdown());
  const client = await createTasksClient({ address: `127.0.0.1:${port}` });
  expect(await outcomes([requestTask(client, 'a', user), requestTask(client, 'b', user)])).toEqual([
    'a of c1',
    'a of c1',
  ]);
});
