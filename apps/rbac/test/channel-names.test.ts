import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { listAuditedChanges, catchFailure } from '@saleschannel/testing';
import { startRbac, type Rbac } from './support/rbac.ts';

const ROUNDS = 10;
let rbac: Rbac;
beforeAll(async () => {
  rbac = await startRbac();
});
afterAll(() => rbac.stop());

const taken = { code: 'request-refused', violations: [{ pointer: '#/name', code: 'name-taken' }] };
const create = (name: string) => rbac.admin.CreateSalesChannel({ name });
const rename = (salesChannelId: string, name: string) =>
  rbac.admin.RenameSalesChannel({ salesChannelId, name, reason: 'new brand' });

test('a new sales channel cannot take the name of another, in any spelling', async () => {
  const { name } = await create('  Café Nordic ');
  expect(name).toBe('Café Nordic');
  for (const same of ['Café Nordic', 'CAFÉ NORDIC', ' café nordic', 'Cafe\u0301 Nordic'])
    expect(await catchFailure(create(same))).toMatchObject(taken);
  expect((await create('Cafe Nordic')).name).toBe('Cafe Nordic');
});

test('renaming is in both trails, with the reason only in that of the installation', async () => {
  const { id } = await create(`Before ${newId()}`);
  const before = (await rbac.admin.ListSalesChannels({})).salesChannels.find((each) => each.id === id)?.name;
  const name = `After ${newId()}`;
  expect(await rename(id, ` ${name} `)).toMatchObject({ id, name, status: 'ACTIVE' });
  expect(await rename(id, name)).toMatchObject({ id, name });
  const { address } = rbac.service;
  const changesIn = (scope: string) => listAuditedChanges({ name: 'rbac', address }, scope, id);
  expect((await changesIn(id)).at(-1)).toEqual([{ name: before }, { name }]);
  expect((await changesIn('installation')).at(-1)).toEqual([{ name: before }, { name, reason: 'new brand' }]);
  // The old name is free again, and a name may change its case.
  await create(String(before));
  expect(await rename(id, name.toUpperCase())).toMatchObject({ name: name.toUpperCase() });
});

test('renaming needs a free name, a reason and an existing channel', async () => {
  const [{ id }, other] = [await create(`One ${newId()}`), await create(`Other ${newId()}`)];
  expect(await catchFailure(rename(id, other.name.toUpperCase()))).toMatchObject(taken);
  expect(await catchFailure(rename(id, '  '))).toMatchObject({ violations: [{ parameter: 'name' }] });
  const unexplained = rbac.admin.RenameSalesChannel({ salesChannelId: id, name: newId(), reason: '' });
  expect(await catchFailure(unexplained)).toMatchObject({ violations: [{ parameter: 'reason' }] });
  expect(await catchFailure(rename(newId(), newId()))).toMatchObject({ code: 'not-found' });
});

test('of concurrent creations and renamings to one name, one succeeds', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = `Race ${newId()}`;
    const { id } = await create(newId());
    const outcomes = await Promise.allSettled([create(name), create(name.toUpperCase()), rename(id, name)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const rows = await rbac.service.sql('select from sales_channel where lower(name) = lower($1)', [name]);
    expect(rows).toHaveLength(1);
  }
});

test('sales channels that already share a name keep it', async () => {
  const name = `Shared ${newId()}`;
  const ids = [newId(), newId()];
  for (const id of ids) await rbac.service.sql('insert into sales_channel (id, name) values ($1, $2)', [id, name]);
  expect(await rename(String(ids[0]), name)).toMatchObject({ name });
  await rbac.admin.SuspendSalesChannel({ salesChannelId: String(ids[1]), reason: 'by order' });
  expect(await catchFailure(create(name))).toMatchObject(taken);
});
