import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, catchFailure } from '@saleschannel/testing';
import { startIdentity, withToken, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

const administrator = (salesChannelId = newId()) => asUser(salesChannelId, ['ROLE_ADMINISTRATOR']);
const claims = () => ({ issuer: identity.issuer.issuer, subject: newId() });

async function introductionsOf(userId: string, scope: string): Promise<unknown[]> {
  const client = await callAs('admin', 'auditLog', identity.service.address, 'identity');
  const { events } = await client.ListAuditEvents({ scope, range: { afterSequence: '0', limit: 5_000 } });
  client.close();
  return events.map(({ event }) => JSON.parse(event)).filter(({ subject }) => subject.id === userId);
}

test('a user introduced before their first token is found by it', async () => {
  const salesChannelId = newId();
  const user = claims();
  const { userId } = await identity.gateway.IntroduceUser(user, await administrator(salesChannelId));
  const principal = await identity.authenticate(withToken(await identity.issuer.token(user.subject)));
  expect(principal).toMatchObject({ kind: 'user', userId });
  expect(await introductionsOf(userId, 'installation')).toMatchObject([
    { action: 'identity.user.introduced', actor: { kind: 'user', salesChannelId }, after: { salesChannelId } },
  ]);
  expect(await introductionsOf(userId, salesChannelId)).toEqual([]);
});

test('a repeat, or a known user, returns only the id', async () => {
  const user = claims();
  const { id: userId } = await identity.admin.EnsureUser(user);
  await identity.admin.SetAccountHolder({ userId, accountHolderId: 'h1' });
  for (const options of [await administrator(), await administrator()])
    expect(await identity.gateway.IntroduceUser(user, options)).toEqual({ userId });
  expect(await introductionsOf(userId, 'installation')).toMatchObject([{ action: 'identity.user.account-holder-set' }]);
});

test('concurrent introductions and a first token create one user', async () => {
  for (let round = 0; round < 10; round++) {
    const user = claims();
    const [one, other] = [await administrator(), await administrator()];
    const token = withToken(await identity.issuer.token(user.subject));
    const [principal, ...answers] = await Promise.all([
      identity.authenticate(token),
      ...[one, other, one, other].map((options) => identity.gateway.IntroduceUser(user, options)),
    ]);
    const ids = new Set([...answers.map(({ userId }) => userId), principal.kind === 'user' && principal.userId]);
    expect(ids.size).toBe(1);
  }
});

test.each([
  ['https://other.example', 'x', [{ pointer: '#/issuer', code: 'issuer' }]],
  ['', 'x', [{ pointer: '#/issuer', code: 'minLength' }]],
  [undefined, '', [{ pointer: '#/subject', code: 'minLength' }]],
  [undefined, 'x'.repeat(256), [{ pointer: '#/subject', code: 'maxLength' }]],
  [undefined, 'a\nb', [{ pointer: '#/subject', code: 'pattern' }]],
])('the issuer %j with the subject %.5j is refused', async (issuer, subject, violations) => {
  const request = { issuer: issuer ?? identity.issuer.issuer, subject };
  expect(await catchFailure(identity.gateway.IntroduceUser(request, await administrator()))).toMatchObject({
    code: 'invalid-request',
    violations,
  });
});

test('a channel has a limit of introduced users who never signed in', async () => {
  const salesChannelId = newId();
  const options = await administrator(salesChannelId);
  await identity.service.sql(
    `insert into app_user (id, issuer, subject, introduced_by)
     select $1::text || n, $2, $1::text || n, $1 from generate_series(1, 1000) n`,
    [salesChannelId, identity.issuer.issuer],
  );
  const user = claims();
  expect(await catchFailure(identity.gateway.IntroduceUser(user, options))).toMatchObject({ code: 'request-refused' });
  await identity.gateway.IntroduceUser({ ...user, subject: `${salesChannelId}7` }, options);
  await identity.gateway.IntroduceUser(user, await administrator());
  await identity.service.sql('update app_user set last_seen_at = now() where id = $1', [`${salesChannelId}7`]);
  await identity.gateway.IntroduceUser(claims(), options);
});

test('an introduction requires the role, an active channel and the gateway', async () => {
  const attempt = async (options: Parameters<typeof identity.gateway.IntroduceUser>[1]) =>
    (await catchFailure(identity.gateway.IntroduceUser(claims(), options))).code;
  expect(await attempt(await asUser('c1', ['TRADER_ADMINISTRATOR']))).toBe('forbidden');
  expect(await attempt(await asUser(undefined, []))).toBe('forbidden');
  const suspended = await asUser('c1', ['ROLE_ADMINISTRATOR'], newId(), undefined, { isSuspended: true });
  expect(await attempt(suspended)).toBe('sales-channel-suspended');
  const client = await callAs('rbac', 'identity', identity.service.address);
  expect(await catchFailure(client.IntroduceUser(claims(), await administrator()))).toMatchObject({
    code: 'forbidden',
  });
  client.close();
});
