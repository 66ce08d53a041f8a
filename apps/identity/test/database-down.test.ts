import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, createTestDatabase, eventually, failureOf, type TestDatabase } from '@saleschannel/testing';
import { startDoor, startHarness, type Harness } from './harness.ts';

let database: TestDatabase;
let door: Awaited<ReturnType<typeof startDoor>>;
let harness: Harness;

beforeAll(async () => {
  database = await createTestDatabase();
  door = await startDoor(database.url);
  harness = await startHarness({ databaseUrl: door.url });
  // The test's own connection would end the run with the door.
  harness.sql.on('error', () => undefined);
});
afterAll(async () => {
  await harness.stop();
  await door.stop();
  await database.drop();
});

test('while the database is away nothing is said about a credential, and all is well when it is back', async () => {
  const { id: userId } = await harness.admin.EnsureUser({ issuer: harness.issuer.issuer, subject: newId() });
  const { key, secret } = await harness.admin.IssueApiKey({ userId });
  const byKey = { surface: 'SALES_CHANNEL', basic: { username: key!.id, password: secret } } as const;
  const byToken = { surface: 'SALES_CHANNEL', bearerToken: await harness.issuer.token(newId()) } as const;
  await harness.authenticate(byKey);

  door.setOpen(false);
  for (const request of [byKey, byToken, { ...byKey, basic: { ...byKey.basic, username: newId() } }]) {
    expect(await failureOf(harness.gateway.Authenticate(request))).toMatchObject({ code: 'unavailable' });
  }
  expect(await failureOf(harness.gateway.ListApiKeys({}, await asUser(undefined, [], userId)))).toMatchObject({
    code: 'unavailable',
  });
  expect(await failureOf(harness.gateway.CreateApiKey({}, await asUser(undefined, [], userId)))).toMatchObject({
    code: 'unavailable',
  });

  door.setOpen(true);
  await eventually(() => harness.authenticate(byKey).catch(() => undefined), 'the database to be used again');
  await harness.authenticate(byToken);
});
