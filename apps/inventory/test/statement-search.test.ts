import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { asUser, catchFailure, openTestDatabase } from '@saleschannel/testing';
import { schema } from '../src/store/schema.ts';
import { selectPublicStatements } from '../src/store/statements.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import type { Statement } from './support/statements.ts';
import { createRetirement } from './support/transfers.ts';

/** The list of public statements, and its search by a part of the beneficiary's name. */

let inventory: Inventory;
let database: Database;
beforeAll(async () => {
  inventory = await startInventory();
  database = await openTestDatabase({ url: inventory.service.databaseUrl, poolMax: 2, ...schema });
});
afterAll(async () => {
  await database.stop();
  await inventory.stop();
});

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const PUBLIC = { publication: 'PUBLIC', beneficiaryHiddenUntil: null } as const;
type Visibility = NonNullable<NonNullable<Parameters<typeof createRetirement>[2]>['statement']>;

/** Creates a retirement. Returns its transaction, and a function that updates its statement. */
async function retire(beneficiaryName: string, statement: Visibility, autoApproval = true) {
  const scene = inventory.scene();
  const request = createRetirement(scene.seller, [[await scene.issue('1', '10'), 1, 4]], { statement, autoApproval });
  const retirement = { ...request.retirement, beneficiaryName };
  const transactionId = await inventory.settleTransaction({ ...request, retirement });
  const update = async (change: object): Promise<void> => {
    const administrator = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
    await inventory.gateway.UpdateStatement({ transactionId, ...change }, administrator);
  };
  return { transactionId, update };
}

const whole = { page: { limit: 1_000, offset: '0' } };
async function search(beneficiaryPart: string, more: object = {}): Promise<(string | undefined)[]> {
  const { data, searched } = await inventory.register.ListStatements({ ...whole, beneficiaryPart, ...more });
  expect(searched).toBe(true);
  return (JSON.parse(data.toString()) as Statement[]).map(({ beneficiaryName }) => beneficiaryName);
}

test('finds a beneficiary by any part of the name, regardless of case and accents', async () => {
  const names = ['Nørthern Ferries AS', 'Café Straße', 'CAFE 2', 'Łódź-%_'];
  for (const name of names) await retire(name, PUBLIC);
  for (const [part, expected] of [
    ['ferr', ['Nørthern Ferries AS']],
    ['NORTH', ['Nørthern Ferries AS']],
    ['café', ['CAFE 2', 'Café Straße']],
    ['STRASSE', ['Café Straße']],
    ['lodz', ['Łódź-%_']],
    ['%', ['Łódź-%_']],
    ['2', ['CAFE 2']],
    ['cafe cafe', []],
  ] as const)
    expect([part, await search(part)]).toEqual([part, expected]);
  const { searched } = await inventory.register.ListStatements(whole);
  expect(searched).toBe(false);
});

test('lists statements without a search in pages, newest first, within a range of time', async () => {
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three']) ids.unshift((await retire(name, PUBLIC)).transactionId);
  const list = async (request: object) => {
    const { data, next } = await inventory.register.ListStatements({ ...whole, ...request });
    const statements = JSON.parse(data.toString()) as (Statement & { retiredAt: string })[];
    return { ids: statements.map(({ transactionId }) => transactionId), last: statements.at(-1), next };
  };
  const first = await list({ page: { limit: 2, offset: '0' } });
  const second = await list({ page: { limit: 1, offset: '0', after: first.next } });
  expect([...first.ids, ...second.ids]).toEqual(ids);
  expect((await list({ retiredAt: { lt: second.last?.retiredAt } })).ids).not.toContain(ids[2]);
});

test('returns pages, newest first, within a range of time, and as CSV', async () => {
  const name = `Rederi ${newId()}`;
  for (const ordinal of [1, 2, 3]) await retire(`${name} ${ordinal}`, PUBLIC);
  const page = async (fields: object) => {
    const request = { beneficiaryPart: name.toUpperCase(), page: { limit: 2, offset: '0', ...fields } };
    const { data, next } = await inventory.register.ListStatements(request);
    const statements = JSON.parse(data.toString()) as (Statement & { retiredAt: string })[];
    return { names: statements.map((each) => each.beneficiaryName), last: statements.at(-1)?.retiredAt, next };
  };
  const first = await page({});
  expect(first.names).toEqual([`${name} 3`, `${name} 2`]);
  const second = await page({ after: first.next });
  expect([second.names, second.next]).toEqual([[`${name} 1`], undefined]);
  expect((await page({ offset: '2' })).names).toEqual([`${name} 1`]);
  expect(await search(name, { retiredAt: { gt: second.last } })).toEqual([`${name} 3`, `${name} 2`]);
  const csv = await inventory.register.ListStatements({ ...whole, beneficiaryPart: name, format: 'LIST_FORMAT_CSV' });
  expect(csv.data.toString().trimEnd().split('\r\n')).toHaveLength(4);
  const other = { ...whole, beneficiaryPart: 'another', page: { ...whole.page, after: first.next ?? 'none' } };
  expect(await catchFailure(inventory.register.ListStatements(other))).toMatchObject({
    code: 'invalid-request',
    violations: [{ parameter: '$after', code: 'cursor' }],
  });
});

test.each([
  ['', 'minLength'],
  ['x'.repeat(201), 'maxLength'],
  ['a\0b', 'nul-character'],
])('invalid-request: %j', async (beneficiaryPart, code) => {
  expect(await catchFailure(inventory.register.ListStatements({ ...whole, beneficiaryPart }))).toMatchObject({
    code: 'invalid-request',
    violations: [{ parameter: '$filter', code }],
  });
});

describe('does not find by the name of the beneficiary', () => {
  test('a statement before it is public', async () => {
    const name = newId();
    const { update } = await retire(name, { publication: 'LINK', beneficiaryHiddenUntil: null });
    expect(await search(name)).toEqual([]);
    await update({ publication: 'PUBLIC' });
    expect(await search(name)).toEqual([name]);
  });

  test('a retirement before its approval', async () => {
    const name = newId();
    const { transactionId } = await retire(name, PUBLIC, false);
    expect(await search(name)).toEqual([]);
    await inventory.approve(transactionId);
    expect(await search(name)).toEqual([name]);
  });

  test('a statement under embargo, before it ends', async () => {
    const name = newId();
    const { update } = await retire(name, { publication: 'PUBLIC', beneficiaryHiddenUntil: inDays(30) });
    for (const part of [name, name.slice(3, 9), name.slice(0, 1)])
      expect(JSON.stringify(await search(part))).not.toContain(name);
    await update({ beneficiaryHiddenUntil: '' });
    expect(await search(name)).toEqual([name]);
  });

  test('a statement under embargo, to the millisecond', async () => {
    const name = newId();
    const until = inDays(30);
    await retire(name, { publication: 'PUBLIC', beneficiaryHiddenUntil: until });
    const anyTime = { fromMs: undefined, toMs: undefined };
    const countAt = async (ms: number): Promise<number> => {
      const search = { part: name, now: new Date(ms) };
      return (await selectPublicStatements(database.em(), anyTime, { limit: 10 }, search)).rows.length;
    };
    const endsAt = Date.parse(until);
    expect(await Promise.all([countAt(endsAt - 1), countAt(endsAt), countAt(endsAt + 1)])).toEqual([0, 1, 1]);
  });

  test('a hidden statement, not even as a next page', async () => {
    const name = newId();
    await retire(`${name} shown`, PUBLIC);
    await retire(`${name} hidden`, { publication: 'PUBLIC', beneficiaryHiddenUntil: inDays(30) });
    const { data, next } = await inventory.register.ListStatements({
      beneficiaryPart: name,
      page: { limit: 1, offset: '0' },
    });
    expect([JSON.parse(data.toString()), next]).toEqual([
      [expect.objectContaining({ publication: 'PUBLIC' })],
      undefined,
    ]);
  });
});

test('finds frequent and rare names among many statements, in pages of any size', async () => {
  const tag = newId().slice(-8);
  const { transactionId } = await retire(`${tag} seed`, PUBLIC);
  // 900 earlier retirements: all "common", every 300th "rare", and the oldest "old".
  await inventory.transaction(
    `insert into ledger_transaction
        (id, type, status, sales_channel_id, seller_id, task_id, retirement, created_at, completed_at)
      select '${tag}-' || n, type, status, sales_channel_id, seller_id, '${tag}-' || n,
        jsonb_set(retirement, '{beneficiaryName}', to_jsonb('${tag} common ' || n
          || case when n % 300 = 0 then ' rare' else '' end || case when n < 3 then ' old' else '' end)),
        created_at, timestamptz '2020-01-01 00:00Z' + n * interval '1 second'
      from ledger_transaction cross join generate_series(1, 900) as n where id = '${transactionId}'`,
    `update retirement_statement set publication = 'PUBLIC',
        beneficiary_hidden_until =
          case when transaction_id in ('${tag}-2', '${tag}-600') then now() + interval '1 day' end
      where transaction_id like '${tag}-%'`,
  );
  const findOrdinals = async (part: string, limit: number): Promise<number[]> => {
    const ordinals: number[] = [];
    let after: string | undefined;
    do {
      const page = { limit, offset: '0', ...(after === undefined ? {} : { after }) };
      const { data, next } = await inventory.register.ListStatements({ beneficiaryPart: `${tag} ${part}`, page });
      const statements = JSON.parse(data.toString()) as Statement[];
      ordinals.push(
        ...statements.map(({ beneficiaryName }) => Number(/common (\d+)/.exec(String(beneficiaryName))?.[1])),
      );
      after = next;
    } while (after !== undefined);
    return ordinals;
  };
  const all = Array.from({ length: 900 }, (_, index) => 900 - index).filter((each) => each !== 2 && each !== 600);
  for (const limit of [7, 1_000]) expect(await findOrdinals('common', limit)).toEqual(all);
  for (const limit of [1, 10]) {
    expect(await findOrdinals('common 1 ', limit)).toEqual([1]);
    expect(await findOrdinals('common 300 r', limit)).toEqual([300]);
    expect(await findOrdinals('common 600 r', limit)).toEqual([]);
  }
});
