import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { entity, startTraders, type Traders } from './support/traders.ts';

/** Pages, filters and totals of traders and proposals. */

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

interface Part<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

async function readAll<Item>(read: (after: { after?: string }) => Promise<Part<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  let next: string | undefined;
  do {
    const part = await read(next === undefined ? {} : { after: next });
    found.push(...part.items);
    next = part.next;
  } while (next !== undefined);
  return found;
}

const names = ['Zebra', 'abacus', 'Abalone', 'ABBA', 'Åbo', 'abacus 2'];

test('pages of traders add up to the whole list; a name prefix ignores case', async () => {
  const channel = newId();
  for (const name of names) await traders.create(channel, { name, businessId: `B ${name}` });
  const all = await traders.list(channel);
  expect(all.map(({ name }) => name)).toEqual(names);
  const paged = (limit: number, namePrefix?: string) =>
    readAll(async (after) => {
      const filter = namePrefix === undefined ? null : { namePrefix };
      const { traders: items, next } = await traders.pageOfTraders(channel, { filter, page: { limit, ...after } });
      return { items, next };
    });
  for (const limit of [1, 2, 5, 100]) {
    expect(await paged(limit)).toEqual(all);
    expect((await paged(limit, 'aBa')).map(({ name }) => name)).toEqual(['abacus', 'abacus 2', 'Abalone']);
  }
  expect((await traders.list(channel, { namePrefix: 'AB' })).map(({ name }) => name)).toEqual([
    'abacus',
    'abacus 2',
    'Abalone',
    'ABBA',
  ]);
  expect(await traders.list(channel, { businessId: 'B ABBA' })).toMatchObject([{ name: 'ABBA' }]);
  expect(await traders.list(channel, { namePrefix: '_' })).toEqual([]);
  expect(await catchFailure(traders.list(channel, { namePrefix: '' }))).toMatchObject({
    violations: [{ parameter: '$filter', code: 'minLength' }],
  });
});

test('traders are ordered by name or creation, in pages of any size', async () => {
  const channel = newId();
  for (const name of names) await traders.create(channel, { name, businessId: `B ${name}` });
  const ordered = (by: string, descending: boolean, limit: number, filter: { namePart?: string } = {}) =>
    readAll(async (after) => {
      const request = { filter, order: { by, descending }, page: { limit, ...after } };
      const { traders: items, next, ordered: isOrdered } = await traders.pageOfTraders(channel, request);
      expect(isOrdered).toBe(true);
      return { items: items.map(({ name }) => name), next };
    });
  const byName = ['abacus', 'abacus 2', 'Abalone', 'ABBA', 'Zebra', 'Åbo'];
  for (const limit of [1, 4, 100]) {
    expect(await ordered('name', false, limit)).toEqual(byName);
    expect(await ordered('name', true, limit)).toEqual(byName.toReversed());
    expect(await ordered('createdAt', false, limit)).toEqual(names);
    expect(await ordered('createdAt', true, limit)).toEqual(names.toReversed());
    expect(await ordered('name', true, limit, { namePart: 'aba' })).toEqual(['Abalone', 'abacus 2', 'abacus']);
  }
  const request = { order: { by: 'businessId', descending: false }, page: { limit: 1 } };
  expect(await catchFailure(traders.pageOfTraders(channel, request))).toMatchObject({
    violations: [{ parameter: '$orderBy' }],
  });
  const { next } = await traders.pageOfTraders(channel, {
    order: { by: 'name', descending: false },
    page: { limit: 1 },
  });
  const other = {
    order: { by: 'name', descending: true },
    page: { limit: 1, ...(next !== undefined && { after: next }) },
  };
  expect(await catchFailure(traders.pageOfTraders(channel, other))).toMatchObject({
    violations: [{ parameter: '$after' }],
  });
});

test('a search by part of a name ignores case and accents, within the channel', async () => {
  const [channel, other] = [newId(), newId()];
  const called = ['Nørthern Biochar Oy', 'Café Straße', 'CAFE 2', 'Œuvre Æther', 'Łódź', 'Żółw-%_'];
  for (const name of called) await traders.create(channel, { name, businessId: `B ${name}` });
  await traders.create(other, { name: 'Cafeteria', businessId: 'B' });
  const found = async (namePart: string): Promise<string[]> =>
    (await traders.list(channel, { namePart })).map(({ name }) => name);
  for (const [part, expected] of [
    ['biochar', ['Nørthern Biochar Oy']],
    ['NORTH', ['Nørthern Biochar Oy']],
    ['café', ['Café Straße', 'CAFE 2']],
    ['STRASSE', ['Café Straße']],
    ['aether', ['Œuvre Æther']],
    ['lodz', ['Łódź']],
    ['%_', ['Żółw-%_']],
    ['%', ['Żółw-%_']],
    ['fe', ['Café Straße', 'CAFE 2']],
    ['2', ['CAFE 2']],
    ['cafeteria', []],
    ['cafe cafe', []],
  ] as const) {
    expect([part, await found(part)]).toEqual([part, expected]);
  }
  const page = { filter: { namePart: 'CAFÉ' }, page: { limit: 1 } };
  const first = await traders.pageOfTraders(channel, page);
  const second = await traders.pageOfTraders(channel, { ...page, page: { limit: 1, after: String(first.next) } });
  expect([...first.traders, ...second.traders].map(({ name }) => name)).toEqual(['Café Straße', 'CAFE 2']);
  expect(second.next).toBeUndefined();
});

test('exactly the parts of a name find it', async () => {
  const channel = newId();
  const letters = fc.string({
    unit: fc.constantFrom('a', 'B', 'é', 'Ø', ' ', '-', '7', 'ß'),
    minLength: 1,
    maxLength: 12,
  });
  const fold = (text: string): string =>
    text
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ø', 'o');
  const all: string[] = [];
  await fc.assert(
    fc.asyncProperty(letters, letters, async (given, part) => {
      const name = `x${given}x`;
      await traders.create(channel, { name, businessId: newId() });
      all.push(name);
      const expected = all.filter((each) => fold(each).includes(fold(part)));
      expect((await traders.list(channel, { namePart: part })).map((each) => each.name)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test("a cursor reveals nothing about other channels, and another channel's list refuses it", async () => {
  const [mine, other] = [newId(), newId()];
  const { trader } = await traders.create(mine);
  await traders.create(mine);
  const { next = '' } = await traders.pageOfTraders(mine, { page: { limit: 1 } });
  // Numbers that all channels share would reveal how fast the others grow.
  const [, , ...values] = JSON.parse(Buffer.from(next, 'base64url').toString()) as unknown[];
  expect(values).toEqual([trader.id]);
  expect(await catchFailure(traders.pageOfTraders(other, { page: { limit: 1, after: next } }))).toMatchObject({
    code: 'invalid-request',
    violations: [{ parameter: '$after', code: 'cursor' }],
  });
});

test('a channel reads its proposals by status, page by page', async () => {
  const channel = newId();
  const made = [await traders.proposal(channel), await traders.proposal(channel), await traders.proposal(channel)];
  await traders.reject(channel, made[1]?.id ?? '');
  const all = await traders.proposals(channel);
  const paged = await readAll(async (after) => {
    const { proposals: items, next } = await traders.pageOfProposals(channel, { page: { limit: 1, ...after } });
    return { items, next };
  });
  expect(paged).toEqual(all);
  expect((await traders.proposals(channel, 'PENDING')).map(({ id }) => id)).toEqual([made[0]?.id, made[2]?.id]);
  expect(await catchFailure(traders.proposals(channel, 'DONE'))).toMatchObject({
    violations: [{ parameter: '$filter' }],
  });
});

test("a search finds a channel's proposals by id or by part of the account holder's name, and no others", async () => {
  const [channel, other] = [newId(), newId()];
  const called = ['Nørthern Biochar Oy', 'Café Straße', 'CAFE 2'];
  const made = [];
  for (const name of called)
    made.push(await traders.submit({ ...entity, name, salesChannelId: channel, accountHolderId: newId() }));
  const foreign = await traders.submit({
    ...entity,
    name: 'Cafeteria',
    salesChannelId: other,
    accountHolderId: newId(),
  });
  const found = async (search: string, more: object = {}): Promise<string[]> => {
    const request = { search, page: { limit: 10 }, ...more };
    const { proposals, searched } = await traders.pageOfProposals(channel, request);
    expect(searched).toBe(true);
    return proposals.map(({ name }) => name);
  };
  for (const [search, expected] of [
    ['CAFÉ', ['Café Straße', 'CAFE 2']],
    ['strasse', ['Café Straße']],
    ['north', ['Nørthern Biochar Oy']],
    ['cafeteria', []],
    [made[0]?.id ?? '', ['Nørthern Biochar Oy']],
    [(made[0]?.id ?? '').slice(1), []],
    [foreign.id, []],
  ] as const)
    expect([search, await found(search)]).toEqual([search, expected]);
  await traders.reject(channel, made[1]?.id ?? '');
  expect(await found('cafe', { status: 'PENDING' })).toEqual(['CAFE 2']);
  const { next = 'none' } = await traders.pageOfProposals(channel, { search: 'cafe', page: { limit: 1 } });
  expect(await found('cafe', { page: { limit: 1, after: next } })).toEqual(['CAFE 2']);
  expect(await catchFailure(found('north', { page: { limit: 1, after: next } }))).toMatchObject({
    violations: [{ parameter: '$after', code: 'cursor' }],
  });
  expect((await traders.pageOfProposals(channel, { page: { limit: 1 } })).searched).toBe(false);
  expect(await catchFailure(found(''))).toMatchObject({ violations: [{ parameter: 'q', code: 'minLength' }] });
});

test('the registry reads the proposals of an account holder, with an exact total', async () => {
  const accountHolderId = newId();
  const made = [];
  for (const channel of [newId(), newId(), newId()]) made.push(await traders.proposal(channel, { accountHolderId }));
  const [first, second] = made;
  if (!first || !second) throw new Error('The proposals are missing.');
  const total = async (filter: { status?: string }): Promise<[string, string[]]> => {
    const page = await traders.submitted({ ...filter, accountHolderId, page: { limit: 100 } });
    return [page.total, page.proposals.map(({ id }) => id)];
  };
  const ids = made.map(({ id }) => id);
  expect(await total({})).toEqual(['3', ids]);
  await Promise.all([traders.accept(first.salesChannelId, first.id), traders.reject(second.salesChannelId, second.id)]);
  expect(await total({ status: 'PENDING' })).toEqual(['1', ids.slice(2)]);
  expect(await total({ status: 'REJECTED' })).toEqual(['1', [second.id]]);
  expect(await traders.findSubmitted(second.id)).toMatchObject({
    status: 'REJECTED',
    onboardedTraderId: 'NOT_ONBOARDED',
  });
  // A reopened proposal counts as pending.
  await traders.proposal(second.salesChannelId, { accountHolderId });
  expect(await total({ status: 'REJECTED' })).toEqual(['0', []]);
  expect(await total({})).toEqual(['3', ids]);
  const everyone = await traders.submitted({ page: { limit: 2 } });
  const listed = await readAll(async (after) => {
    const { proposals: items, next } = await traders.submitted({ page: { limit: 2, ...after } });
    return { items, next };
  });
  expect(everyone.total).toBe(String(listed.length));
  for (const id of ['nobody', ''])
    expect(await catchFailure(traders.findSubmitted(id))).toMatchObject({ code: 'not-found' });
});
