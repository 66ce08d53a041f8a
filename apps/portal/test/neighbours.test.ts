import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SessionRecords } from '@saleschannel/edge/pages';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { contract } from './contracts/identity.ts';

/** Tests the portal with minimal answers of identity according to its contract. */

let providers: FakeProviders;
let records: SessionRecords;
beforeAll(async () => {
  providers = await startFakeProviders(contract);
  records = new SessionRecords(await providers.client('sessions'));
});
afterAll(() => providers.stop());

const id = '6f1a7a52-2ac3-4d0c-9d0a-5f3b3f1f0b11';
const ended = 'b7a4c1de-0c55-4f0e-8a64-3f3f2b8a9e10';
const tokens = { accessToken: 'token', accessExpiresAtMs: Date.UTC(2126, 0) };

test.each([
  ['begins for a person', 'anna', undefined],
  ['does not begin for a disabled person', 'disabled', 'SignInRefused'],
])('a session %s', async (_what, subject, refusal) => {
  const times = { signedInAtMs: Date.UTC(2026, 0), expiresAtMs: Date.UTC(2126, 0) };
  const optional =
    refusal === undefined ? { acr: 'mfa', providerSession: 'p1' } : { acr: undefined, providerSession: undefined };
  const begun = records.begin({ id, issuer: 'https://idp.example', subject, ...times, ...optional, ...tokens }, {});
  const failure: unknown = await begun.then(
    () => undefined,
    (error: Error) => error.name,
  );
  expect(failure).toBe(refusal);
});

test('an active session accepts tokens, is used and ends', async () => {
  expect(await records.isAlive(id)).toBe(true);
  await records.addToken(id, tokens);
  await records.recordUse(id);
  await records.end(id, {});
});

test('sessions that ended at the provider end', async () => {
  const logout = { tokenId: 't1', issuer: 'https://idp.example', subject: 'anna', providerSession: 'p1' };
  expect(await records.endByProvider(logout, {})).toEqual([id]);
});

test('an ended session is distinguished from an unreachable identity', async () => {
  expect(await records.isAlive(ended)).toBe(false);
  await expect(records.addToken(ended, tokens)).rejects.toMatchObject({ name: 'SignInRefused' });
});
