import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, failureOf } from '@saleschannel/testing';
import { startRbac, type Rbac } from './support/rbac.ts';

/** Where account holders may apply. */

let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

const asHolder = (): Promise<{ principalToken: string }> => asUser(undefined, [], undefined, newId());

async function open(limit: number): Promise<{ id: string; name: string }[]> {
  const found: { id: string; name: string }[] = [];
  for (let after: string | undefined, more = true; more;) {
    const page = { limit, offset: 0, ...(after === undefined ? {} : { after }) };
    const { salesChannels, next } = await rbac.gateway.PageOpenSalesChannels({ page }, await asHolder());
    found.push(...salesChannels.map(({ id, name }) => ({ id, name })));
    [after, more] = [next, next !== undefined];
  }
  return found;
}

test('channels are listed by name without regard to case, page by page, and suspended ones are not', async () => {
  const names = ['beta', 'Alpha', 'Zeta', 'gamma', 'Åland'];
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await rbac.admin.CreateSalesChannel({ name })).id);
  // An older release let channels share a name.
  await rbac.service.sql(`insert into sales_channel (id, name) values ($1, 'alpha')`, [newId()]);
  const salesChannelId = ids.get('gamma') ?? '';
  await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' });
  const all = await open(100);
  expect(all.map(({ name }) => name.toLowerCase())).toEqual(['alpha', 'alpha', 'beta', 'zeta', 'åland']);
  expect(all).toContainEqual({ id: ids.get('Zeta'), name: 'Zeta' });
  for (const limit of [1, 2, 3]) expect(await open(limit)).toEqual(all);
  await rbac.admin.ResumeSalesChannel({ salesChannelId });
  expect((await open(100)).map(({ id }) => id)).toContain(salesChannelId);
});

test('a page has its bounds, and a cursor its form', async () => {
  for (const [page, parameter] of [
    [{ limit: 1_001, offset: 0 }, '$limit'],
    [{ limit: 1, offset: 100_001 }, '$offset'],
    [{ limit: 1, offset: 0, after: 'x' }, '$after'],
  ] as const)
    expect(await failureOf(rbac.gateway.PageOpenSalesChannels({ page }, await asHolder()))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter }],
    });
});

test('users of no account holder, and registry keys, do not see the channels', async () => {
  const page = { limit: 1, offset: 0 };
  for (const options of [await asUser(newId(), ['ROLE_ADMINISTRATOR']), await asRegistry()])
    expect(await failureOf(rbac.gateway.PageOpenSalesChannels({ page }, options))).toMatchObject({
      code: 'forbidden',
    });
});
