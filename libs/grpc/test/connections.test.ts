import { promises as dns } from 'node:dns';
import { getChannelzHandlers } from '@grpc/grpc-js';
import { afterEach, expect, jest, test, afterAll, beforeAll, describe } from '@jest/globals';
import { createTokenVerifier } from '@saleschannel/auth';
import { silentLogger } from '@saleschannel/runtime';
import { eventually, catchFailure, neighbour, publicKeys } from '@saleschannel/testing';
import { createGrpcServer, createHealthProbe, type GrpcServer, type Tls } from '../src/index.ts';
import {
  createReplicas,
  type Replicas,
  createCredentials,
  administrationClient,
  rbacClient,
  startRbac,
  type Rbac,
  createTlsFolder,
  type TlsFolder,
} from './support/servers.ts';

describe('a server in the process', () => {
  const PROBE_TIMEOUT_MS = 60_000;
  const REFUSED_WITHIN_MS = 1_000;

  const closing: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  let folder: TlsFolder;
  beforeAll(async () => {
    folder = await createTlsFolder();
  });
  afterAll(() => folder.remove());

  function createRbac(host: string, tls?: Tls): GrpcServer {
    const GetSalesChannel = async ({ salesChannelId: id }: { salesChannelId: string }) => ({ id, name: 'One' });
    const server = createGrpcServer({
      host,
      port: 0,
      services: [neighbour('bindingDirectory', ['traders'], { GetSalesChannel })],
      tokens: createTokenVerifier(publicKeys, 'rbac'),
      logger: silentLogger,
      tls,
    });
    closing.push(() => server.stop());
    return server;
  }

  async function call(address: string, tls?: Tls, program: 'traders' | 'webhooks' = 'traders', receiver = 'rbac') {
    const own = await createCredentials(program, tls);
    const client = rbacClient(address, { ...own, getToken: () => own.getToken(receiver) });
    closing.push(() => client.close());
    return client.GetSalesChannel({ salesChannelId: 'c1' }, { timeoutMs: REFUSED_WITHIN_MS });
  }

  test('a server listens at a socket and inside its process, and stops at both', async () => {
    const server = createRbac('127.0.0.1,in-process:one/rbac');
    await server.start();
    expect(server.address).toMatch(/^127\.0\.0\.1:[1-9]/);
    for (const address of [server.address, 'in-process:one/rbac']) {
      expect(await call(address)).toMatchObject({ id: 'c1' });
      const probe = createHealthProbe(address);
      expect(await probe.isServing(PROBE_TIMEOUT_MS)).toBe(true);
      probe.close();
    }
    await server.stop();
    for (const address of [server.address, 'in-process:one/rbac']) {
      expect(await catchFailure(call(address))).toMatchObject({ code: 'unavailable' });
      const probe = createHealthProbe(address);
      expect(await probe.isServing(REFUSED_WITHIN_MS)).toBe(false);
      probe.close();
    }
  });

  test('a name belongs to one server of the process until it stops', async () => {
    const [first, second] = [createRbac('in-process:two/rbac'), createRbac('in-process:two/rbac')];
    await first.start();
    await expect(second.start()).rejects.toThrow('Another server of this process listens at in-process:two/rbac');
    expect(await call('in-process:two/rbac')).toMatchObject({ id: 'c1' });
    await first.stop();
    await second.start();
    expect(await call('in-process:two/rbac')).toMatchObject({ id: 'c1' });
  });

  test('a server has one socket and one name', () => {
    expect(() => createRbac('127.0.0.1,::1')).toThrow('listens at one host and under one in-process name');
    expect(() => createRbac('in-process:a,in-process:b')).toThrow('listens at one host and under one in-process name');
  });

  test('in-process calls require a token, socket calls also a certificate', async () => {
    const [rbac, traders] = await Promise.all([folder.createTls('rbac'), folder.createTls('traders')]);
    const server = createRbac('127.0.0.1,in-process:three/rbac', rbac);
    await server.start();
    expect(await call('in-process:three/rbac', traders)).toMatchObject({ id: 'c1' });
    expect(await call('in-process:three/rbac')).toMatchObject({ id: 'c1' });
    expect(await call(server.address, traders)).toMatchObject({ id: 'c1' });
    expect(await catchFailure(call(server.address))).toMatchObject({ code: 'unavailable' });
    const elsewhere = call('in-process:three/rbac', traders, 'traders', 'inventory');
    expect(await catchFailure(elsewhere)).toMatchObject({ code: 'unauthenticated' });
    expect(await catchFailure(call('in-process:three/rbac', traders, 'webhooks'))).toMatchObject({ code: 'forbidden' });
  });
});

const running: Rbac[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** Far shorter than in production. */
const AGE_MS = 100;
/** For a call that the test answers. */
const SLOW_MS = 60_000;

async function addReplica(replicas: Replicas, slow?: Promise<void>): Promise<Rbac> {
  const server = await startRbac(slow && { slow });
  running.push(server);
  replicas.add(server.address);
  return server;
}

test('a new replica gets calls, none fails, and a running call is answered', async () => {
  const replicas = createReplicas('rbac');
  const slow = Promise.withResolvers<void>();
  const first = await addReplica(replicas, slow.promise);
  const client = rbacClient(replicas.name, await createCredentials('traders', undefined), { ageMs: AGE_MS });
  const pendingCall = client.GetSalesChannel({ salesChannelId: 'slow' }, { timeoutMs: SLOW_MS });
  await eventually(() => Promise.resolve(first.calls === 1), 'the call under way');

  const second = await addReplica(replicas);
  let answered = 0;
  await eventually(async () => {
    await client.GetSalesChannel({ salesChannelId: 'c1' });
    answered += 1;
    return second.calls >= 20;
  }, 'calls at the new replica');
  expect(first.calls + second.calls).toBe(answered + 1);

  slow.resolve();
  expect(await pendingCall).toMatchObject({ id: 'slow' });
  client.close();
});

test('under load no call fails or runs twice, while connections end and replicas are added', async () => {
  const CALLS_AT_ONCE = 64;
  const CALLS_EACH = 1_000;
  const replicas = createReplicas('rbac-under-load');
  const servers = [await addReplica(replicas)];
  // Not repeatable, so any failure shows.
  const client = administrationClient(replicas.name, await createCredentials('traders', undefined), { ageMs: AGE_MS });
  let answered = 0;
  let isDone = false;
  const callRepeatedly = async (): Promise<void> => {
    for (; !isDone; answered += 1) await client.CreateSalesChannel({ name: 'One' });
  };
  const load = Promise.all(Array.from({ length: CALLS_AT_ONCE }, callRepeatedly));
  try {
    for (let others = 0; others < 2; others += 1) {
      const before = servers.map(({ calls }) => calls);
      servers.push(await addReplica(replicas));
      const isSpread = () => servers.every(({ calls }, index) => calls >= (before[index] ?? 0) + CALLS_EACH);
      await Promise.race([eventually(() => Promise.resolve(isSpread()), `calls at all ${servers.length}`), load]);
    }
  } finally {
    isDone = true;
  }
  await load;
  expect(servers.reduce((sum, { calls }) => sum + calls, 0)).toBe(answered);
  client.close();
});

test('calls use the old connections while the name does not resolve', async () => {
  const replicas = createReplicas('rbac-renamed');
  const server = await addReplica(replicas);
  const client = rbacClient(replicas.name, await createCredentials('traders', undefined), { ageMs: 0 });
  await client.GetSalesChannel({ salesChannelId: 'c1' });
  replicas.clear();
  for (let calls = 0; calls < 20; calls += 1) await client.GetSalesChannel({ salesChannelId: 'c1' });
  const other = await addReplica(replicas);
  await eventually(async () => {
    await client.GetSalesChannel({ salesChannelId: 'c1' });
    return other.calls > 0;
  }, 'calls to the new address');
  expect(server.calls).toBeGreaterThan(20);
  client.close();
});

test('a client does not ask the name server for a service config', async () => {
  const resolveTxt = jest.spyOn(dns, 'resolveTxt');
  const server = await startRbac();
  running.push(server);
  const client = rbacClient(
    server.address.replace('127.0.0.1', 'localhost'),
    await createCredentials('traders', undefined),
  );
  expect(await client.GetSalesChannel({ salesChannelId: 'c1' })).toMatchObject({ id: 'c1' });
  client.close();
  expect(resolveTxt).not.toHaveBeenCalled();
});

/** Channels and servers of this process that channelz has recorded, possibly for other test files. */
function listRecorded(): unknown[] {
  const { GetTopChannels, GetServers } = getChannelzHandlers();
  const found: unknown[] = [];
  const add = (_fault: unknown, value: unknown): void => {
    const { channel = [], server = [] } = value as { channel?: unknown[]; server?: unknown[] };
    found.push(...channel, ...server);
  };
  GetTopChannels({ request: { start_channel_id: '0', max_results: '10000' } } as never, add as never);
  GetServers({ request: { start_server_id: '0', max_results: '10000' } } as never, add as never);
  return found;
}

test('neither clients nor servers record calls for channelz', async () => {
  const before = listRecorded().length;
  const replicas = createReplicas('rbac-without-records');
  await addReplica(replicas);
  const client = rbacClient(replicas.name, await createCredentials('traders', undefined));
  await client.GetSalesChannel({ salesChannelId: 'c1' });
  expect(listRecorded()).toHaveLength(before);
  client.close();
});
