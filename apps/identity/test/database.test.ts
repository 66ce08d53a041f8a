import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import {
  smallestPools,
  proveOwnConnections,
  asUser,
  createTestDatabase,
  eventually,
  catchFailure,
  type TestDatabase,
} from '@saleschannel/testing';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';
import { startIdentity, withKey, withToken, type Identity } from './support/identity.ts';

/** A TCP proxy that tests can close. */
interface TcpProxy {
  readonly url: string;
  setOpen(isOpen: boolean): void;
  stop(): Promise<void>;
}

async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    if (!isOpen) return void socket.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxyUrl = new URL(url);
  proxyUrl.hostname = '127.0.0.1';
  proxyUrl.port = String((server.address() as AddressInfo).port);
  const closeAll = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: proxyUrl.toString(),
    setOpen(value) {
      isOpen = value;
      if (!isOpen) closeAll();
    },
    async stop() {
      closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let database: TestDatabase;
let proxy: TcpProxy;
let identity: Identity;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
  identity = await startIdentity({ databaseUrl: proxy.url });
});
afterAll(async () => {
  await identity.stop();
  await proxy.stop();
  await database.drop();
});

test('without a database, checks are unavailable rather than refused, and recover afterwards', async () => {
  const userId = await identity.newUser();
  const { key, secret } = await identity.issueApiKey(userId);
  const byKey = withKey(key, secret);
  const byToken = withToken(await identity.issuer.token(newId()));
  await identity.authenticate(byKey);

  proxy.setOpen(false);
  for (const request of [byKey, byToken, withKey({ id: newId() }, secret)]) {
    expect(await catchFailure(identity.gateway.Authenticate(request))).toMatchObject({ code: 'unavailable' });
  }
  const options = await asUser(undefined, [], userId);
  expect(await catchFailure(identity.gateway.ListApiKeys({}, options))).toMatchObject({ code: 'unavailable' });
  expect(await catchFailure(identity.gateway.CreateApiKey({}, options))).toMatchObject({ code: 'unavailable' });

  proxy.setOpen(true);
  await eventually(() => identity.authenticate(byKey).catch(() => undefined), 'the database to be used again');
  await identity.authenticate(byToken);
});

schemaTests(new URL('../src/store/', import.meta.url), schema);

describe('with the smallest pools', () => {
  let pooled: Identity;
  beforeAll(async () => {
    pooled = await startIdentity({ variables: smallestPools });
  });
  afterAll(() => pooled.stop());

  test('the probe is answered while calls occupy all of their connections', async () => {
    const user = await pooled.newUser();
    pooled.rights.set(user, { salesChannelId: 'channel', roles: ['ASSET_VIEWER'] });
    const { key, secret } = await pooled.issueApiKey(user);
    await proveOwnConnections({
      service: pooled.service,
      table: 'api_key',
      call: () => pooled.authenticate(withKey(key, secret)),
    });
  });
});
