import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, catchFailure } from '@saleschannel/testing';
import { startRbac, type Rbac } from './support/rbac.ts';

/** Channels that account holders may apply to. */

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

test('channels are listed by name ignoring case, page by page, without suspended ones', async () => {
  const names = ['beta', 'Alpha', 'Zeta', 'gamma', 'Åland'];
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await rbac.admin.CreateSalesChannel({ name })).id);
  // Channels created by older releases may share a name.
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

test('channels are found by a part of their name and by id, without suspended ones', async () => {
  const tag = newId();
  const created = [];
  for (const name of [`Nørdic ${tag}`, `Biochar ${tag} Łódź`, `nord ${tag}`])
    created.push(await rbac.admin.CreateSalesChannel({ name }));
  const [nordic, biochar, suspended] = created.map(({ id }) => id);
  await rbac.admin.SuspendSalesChannel({ salesChannelId: suspended ?? '', reason: 'by order' });
  const found = async (search: string, page = { limit: 10, offset: 0 }) => {
    const reply = await rbac.gateway.PageOpenSalesChannels({ search, page }, await asHolder());
    expect(reply.searched).toBe(true);
    return { ids: reply.salesChannels.map(({ id }) => id), next: reply.next };
  };
  expect(await found(`NORDIC ${tag}`)).toEqual({ ids: [nordic], next: undefined });
  expect((await found(tag)).ids).toEqual([biochar, nordic]);
  expect((await found(`${tag} lodz`)).ids).toEqual([biochar]);
  expect((await found(biochar ?? '')).ids).toEqual([biochar]);
  expect((await found(suspended ?? '')).ids).toEqual([]);
  expect((await found((biochar ?? '').slice(1))).ids).toEqual([]);
  const { next } = await found(tag, { limit: 1, offset: 0 });
  const page = { limit: 1, offset: 0, ...(next !== undefined && { after: next }) };
  expect(await found(tag, page)).toEqual({ ids: [nordic], next: undefined });
  expect(await catchFailure(found('another', page))).toMatchObject({ violations: [{ parameter: '$after' }] });
  const whole = await rbac.gateway.PageOpenSalesChannels({ page: { limit: 1, offset: 0 } }, await asHolder());
  expect(whole.searched).toBe(false);
  for (const [search, code] of [
    ['', 'minLength'],
    ['x'.repeat(201), 'maxLength'],
  ] as const)
    expect(await catchFailure(found(search))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: 'q', code }],
    });
});

test('invalid pages and cursors are refused', async () => {
  for (const [page, parameter] of [
    [{ limit: 1_001, offset: 0 }, '$limit'],
    [{ limit: 1, offset: 100_001 }, '$offset'],
    [{ limit: 1, offset: 0, after: 'x' }, '$after'],
  ] as const)
    expect(await catchFailure(rbac.gateway.PageOpenSalesChannels({ page }, await asHolder()))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter }],
    });
});

test('users without an account holder, and registry keys, are refused', async () => {
  const page = { limit: 1, offset: 0 };
  for (const options of [await asUser(newId(), ['ROLE_ADMINISTRATOR']), await asRegistry()])
    expect(await catchFailure(rbac.gateway.PageOpenSalesChannels({ page }, options))).toMatchObject({
      code: 'forbidden',
    });
});
