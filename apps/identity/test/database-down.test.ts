import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, createTestDatabase, eventually, failureOf, type TestDatabase } from '@saleschannel/testing';
import { startIdentity, withKey, withToken, type Identity } from './support/identity.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

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
    expect(await failureOf(identity.gateway.Authenticate(request))).toMatchObject({ code: 'unavailable' });
  }
  const options = await asUser(undefined, [], userId);
  expect(await failureOf(identity.gateway.ListApiKeys({}, options))).toMatchObject({ code: 'unavailable' });
  expect(await failureOf(identity.gateway.CreateApiKey({}, options))).toMatchObject({ code: 'unavailable' });

  proxy.setOpen(true);
  await eventually(() => identity.authenticate(byKey).catch(() => undefined), 'the database to be used again');
  await identity.authenticate(byToken);
});
