import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, createTestDatabase, eventually, failureOf, type TestDatabase } from '@saleschannel/testing';
import { startDoor, type Door } from './support/door.ts';
import { startIdentity, withKey, withToken, type Identity } from './support/identity.ts';

let database: TestDatabase;
let door: Door;
let identity: Identity;

beforeAll(async () => {
  database = await createTestDatabase();
  door = await startDoor(database.url);
  identity = await startIdentity({ databaseUrl: door.url });
});
afterAll(async () => {
  await identity.stop();
  await door.stop();
  await database.drop();
});

test('while the database cannot be reached no credential is judged, and all is well when it is back', async () => {
  const userId = await identity.newUser();
  const { key, secret } = await identity.issueApiKey(userId);
  const byKey = withKey(key, secret);
  const byToken = withToken(await identity.issuer.token(newId()));
  await identity.authenticate(byKey);

  door.setOpen(false);
  for (const request of [byKey, byToken, withKey({ id: newId() }, secret)]) {
    expect(await failureOf(identity.gateway.Authenticate(request))).toMatchObject({ code: 'unavailable' });
  }
  const options = await asUser(undefined, [], userId);
  expect(await failureOf(identity.gateway.ListApiKeys({}, options))).toMatchObject({ code: 'unavailable' });
  expect(await failureOf(identity.gateway.CreateApiKey({}, options))).toMatchObject({ code: 'unavailable' });

  door.setOpen(true);
  await eventually(() => identity.authenticate(byKey).catch(() => undefined), 'the database to be used again');
  await identity.authenticate(byToken);
});
