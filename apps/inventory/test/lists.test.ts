import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { asUser, failureOf } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { FACILITY, issuanceOf } from './support/issuances.ts';
import { everyRow, pagesFrom, type ChannelWanted, type Document, type TransactionsWanted } from './support/pages.ts';
import { holderOf, offrampOf, retirementOf, tradeOf } from './support/transfers.ts';

/** Lists: pages of any size, filters, exact totals, and what happens between two pages. */

let inventory: Inventory;
let pages: ReturnType<typeof pagesFrom>;
let scene: Scene;
/** An issuance of ten certificates whose holder approves what its trader sells. */
let issued: string;
let pending: string;

beforeAll(async () => {
  inventory = await startInventory();
  pages = pagesFrom(inventory);
  scene = inventory.scene();
  issued = await scene.issue('1', '20');
  const { seller, buyer } = scene;
  await inventory.transact(tradeOf(seller, buyer, [[issued, 1, 1]]));
  await inventory.transact(tradeOf(seller, buyer, [[issued, 2, 2]]));
  await inventory.transact(retirementOf(seller, [[issued, 3, 3]]));
  await inventory.transact(offrampOf(seller, [[issued, 4, 4]]));
  await inventory.transact(tradeOf(buyer, seller, [[issued, 1, 1]]));
  const approved = { autoApproval: false, accountHolderId: holderOf(seller) };
  pending = await inventory.transact(tradeOf(seller, buyer, [[issued, 5, 6]], approved));
  await inventory.reject(await inventory.transact(tradeOf(seller, buyer, [[issued, 7, 8]], approved)));
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const matches = (row: Document, { type, status }: { type?: string; status?: string }): boolean =>
  (type === undefined || row['type'] === type) && (status === undefined || row['status'] === status);

const types = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP', undefined];
const statuses = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED', undefined];
const given = (wanted: object): object =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));

describe('transactions of the registry', () => {
  test('by any filter, in pages of any size, are those of the whole list, with their exact number', async () => {
    const all = await everyRow((after) => pages.transactions({}, { after }));
    const times = all.map((row) => String(row['createdAt']));
    const bound = fc.option(fc.constantFrom(...times), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...types),
        fc.constantFrom(...statuses),
        bound,
        bound,
        fc.integer({ min: 1, max: 7 }),
        async (type, status, gte, lte, limit) => {
          const wanted = given({ type, status, createdAt: given({ gte, lte }) }) as TransactionsWanted;
          const expected = all.filter(
            (row) =>
              matches(row, given({ type, status })) &&
              (gte === undefined || String(row['createdAt']) >= gte) &&
              (lte === undefined || String(row['createdAt']) <= lte),
          );
          expect(await everyRow((after) => pages.transactions(wanted, { limit, after }))).toEqual(expected);
          expect((await pages.transactions(wanted, { limit })).total).toBe(expected.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('that wait for the approval of one account holder', async () => {
    const accountHolderId = holderOf(scene.seller);
    const waiting = await pages.transactions({ accountHolderId, status: 'PENDING' });
    expect([waiting.total, waiting.rows.map((row) => row['transactionId'])]).toEqual([1, [pending]]);
    const everything = await pages.transactions({ accountHolderId });
    expect(everything.rows.map((row) => row['type']).toSorted()).toEqual(['ISSUANCE', 'OFFRAMP', 'TRADE', 'TRADE']);
    expect(everything.total).toBe(4);
    const since = { gte: '2000-01-01T00:00:00Z' };
    expect((await pages.transactions({ accountHolderId, createdAt: since })).total).toBe(4);
    expect(await pages.transactions({ accountHolderId: 'nobody' })).toMatchObject({ rows: [], total: 0 });
  });

  test.each<[TransactionsWanted, string]>([
    [{ status: 'DONE' }, 'status'],
    [{ type: 'GIFT' }, 'type'],
    [{ accountHolderId: '' }, 'accountHolderId'],
    [{ createdAt: { gte: 'yesterday' } }, 'createdAt'],
  ])('invalid-request: %j', async (wanted, parameter) => {
    expect(await failureOf(pages.transactions(wanted))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter }],
    });
  });
});

describe('transactions of a sales channel', () => {
  test('by any filter, in either order and in pages of any size, are those of the whole list', async () => {
    const { channel, seller, buyer } = scene;
    const all = await everyRow((after) => pages.channel(channel, {}, { after }));
    expect(all).toHaveLength(7);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('TRADE', 'RETIREMENT', 'OFFRAMP', undefined),
        fc.constantFrom(...statuses),
        fc.constantFrom(seller, buyer, undefined),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (type, status, traderId, descending, limit) => {
          const filter = given({ type, status, traderId }) as NonNullable<ChannelWanted['filter']>;
          const expected = all.filter(
            (row) =>
              matches(row, given({ type, status })) &&
              (traderId === undefined || row['sellerId'] === traderId || row['buyerId'] === traderId),
          );
          const read = (after: string | undefined) => pages.channel(channel, { filter, descending }, { limit, after });
          expect(await everyRow(read)).toEqual(descending ? expected.toReversed() : expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('never show those of another channel, also not to its cursor', async () => {
    const { next } = await pages.channel(scene.channel, {}, { limit: 2 });
    expect(await pages.channel('other', { filter: { traderId: scene.seller } })).toMatchObject({ rows: [] });
    expect(await failureOf(pages.channel('other', {}, { limit: 2, after: next }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: '$after', code: 'cursor' }],
    });
  });

  test('are read back with all that was said of a retirement', async () => {
    const options = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
    const detail = async (transactionId: unknown): Promise<Document> => {
      const request = { transactionId: String(transactionId) };
      return JSON.parse(String((await inventory.gateway.GetTransactionDetail(request, options)).data)) as Document;
    };
    const all = await everyRow((after) => pages.channel(scene.channel, {}, { after }));
    const retired = all.find((row) => row['type'] === 'RETIREMENT');
    expect(await detail(retired?.['id'])).toMatchObject({
      ...retired,
      reason: null,
      retirement: {
        beneficiaryName: 'Ada',
        beneficiaryLocation: 'London',
        beneficiaryType: 'END_CONSUMER',
        consumptionCountryCode: 'GB',
        usageType: 'DISCLOSURE',
        consumptionPeriod: { start: '2024-01-01T00:00:00.000Z', end: '2024-12-31T00:00:00.000Z' },
        retirementPurpose: 'Travel',
      },
    });
    const rejected = all.find((row) => row['status'] === 'REJECTED');
    expect(await detail(rejected?.['id'])).toMatchObject({ reason: expect.any(String), retirement: null });
    const other = await asUser('other', ['TRANSACTION_ADMINISTRATOR']);
    const foreign = { transactionId: String(retired?.['id']) };
    expect(await failureOf(inventory.gateway.GetTransactionDetail(foreign, other))).toMatchObject({
      code: 'not-found',
    });
  });
});

describe('certificates of the registry', () => {
  test('by any filter, in pages of any size, are those of the whole list, with their exact number', async () => {
    const all = await everyRow((after) => pages.certificates({}, { after }));
    const one = (member: string) => fc.constantFrom(...all.map((row) => row[member] ?? undefined), undefined, 'nobody');
    await fc.assert(
      fc.asyncProperty(
        one('issuanceId'),
        one('ownerId'),
        one('salesChannelId'),
        fc.constantFrom('HELD', 'LISTABLE', 'RESERVED', undefined),
        fc.integer({ min: 1, max: 4 }),
        async (issuanceId, ownerId, salesChannelId, status, limit) => {
          const wanted = given({ issuanceId, ownerId, salesChannelId, status });
          const expected = all.filter((row) => Object.entries(wanted).every(([name, value]) => row[name] === value));
          expect(await everyRow((after) => pages.certificates(wanted, { limit, after }))).toEqual(expected);
          expect((await pages.certificates(wanted, { limit })).total).toBe(expected.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are not listed and not counted from the moment they expire', async () => {
    const ownerId = 'expiring-a';
    const filter = { salesChannelId: 'expiring', traderId: ownerId, expirationDate: '2999-01-01T00:00:00.000Z' };
    const issuances = [issuanceOf('h', filter), issuanceOf('h', filter)];
    await inventory.applyIssuances(...issuances);
    expect(await pages.certificates({ ownerId })).toMatchObject({ total: 2, next: undefined });
    const everything = Number((await pages.certificates()).total);
    await inventory.expire(String(issuances[0]?.issuanceId));
    expect((await pages.certificates({ ownerId })).total).toBe(1);
    expect((await pages.certificates()).total).toBe(everything - 1);
  });

  test('begin and end exactly, however they split and become one again between two pages', async () => {
    const { channel, seller, buyer, issue } = inventory.scene();
    const issuanceId = await issue('1', '30');
    const approved = { autoApproval: false, accountHolderId: holderOf(seller) };
    const reserve = (first: number, last: number): Promise<string> =>
      inventory.transact(tradeOf(seller, buyer, [[issuanceId, first, last]], approved));
    const reserved = [await reserve(1, 5), await reserve(6, 10), await reserve(11, 20)];
    const shown = (rows: Document[]): string[] =>
      rows.map((row) => [row['start'], row['end']].map((end) => String(end).split('_')[1]).join('-'));
    const first = await pages.certificates({ issuanceId }, { limit: 2 });
    expect(shown(first.rows)).toEqual(['1-5', '6-10']);
    // All become one bundle. What a page has shown already is not shown again.
    for (const id of reserved) await inventory.reject(id);
    expect(await inventory.ranges(seller, issuanceId)).toEqual(['1-30']);
    const merged = await pages.certificates({ issuanceId }, { limit: 2, after: first.next });
    expect(shown(merged.rows)).toEqual(['11-30']);
    // It splits again. Nothing is left out.
    await inventory.transact(tradeOf(seller, buyer, [[issuanceId, 1, 15]]));
    const split = await pages.certificates({ issuanceId }, { limit: 2, after: first.next });
    expect(shown(split.rows)).toEqual(['11-15', '16-30']);
    expect((await pages.inventory(buyer)).rows).toHaveLength(1);
    expect(channel).toBe(buyer.slice(0, channel.length));
  });

  test('of an issuance are counted in place: a trade leaves no delta of its own to add up', async () => {
    const { issue, buyer } = inventory.scene();
    const issuance = await issue('1', '20');
    const [ours, counts] = [`issuance_id = '${issuance}'`, `key like 'issuance/%/${issuance}'`];
    const sold = `'${buyer}', sales_channel_id from bundle where ${ours} and state = 'LISTABLE'`;
    // What is written is not the ledger's, so the error undoes all, and tells what was counted.
    const failed = await failureOf(
      inventory.service.sql(`do $$ begin
        update bundle set previous_last = 5 where ${ours} and state = 'LISTABLE';
        insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
          select issuance_id, 0, 2, 'LISTABLE', ${sold};
        insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
          select issuance_id, 2, 5, 'LISTABLE', ${sold} and last = 20;
        update bundle set state = 'RESERVED' where ${ours} and last = 5;
        raise exception '%, % deltas',
          (select string_agg(split_part(key, '/', 2) || ' ' || rows, ', ' order by key) from list_count where ${counts}),
          (select count(*) from list_count_delta where ${counts});
      end $$`),
    );
    expect((failed as Error).message).toBe('LISTABLE 2, RESERVED 1, 0 deltas');
  });

  test('their totals are exact while they are traded, split and retired at once', async () => {
    const { seller, buyer, issue } = inventory.scene();
    const issuances = await Promise.all(Array.from({ length: 4 }, () => issue('1', '20')));
    const moving = Promise.all(
      issuances.flatMap((id) =>
        [1, 2, 3].map((at) =>
          at === 2
            ? inventory.settle(retirementOf(seller, [[id, at, at]]))
            : inventory.settle(tradeOf(seller, buyer, [[id, at, at]])),
        ),
      ),
    );
    let going = true;
    const reading = (async () => {
      while (going) await audit(inventory.service);
    })();
    await moving.finally(() => (going = false));
    await reading;
    for (const ownerId of [seller, buyer]) {
      const { rows, total } = await pages.certificates({ ownerId });
      expect(rows).toHaveLength(Number(total));
    }
  });
});

describe('issuances', () => {
  test('by facility, vintage and owner; one by its id in any case', async () => {
    const made = [
      issuanceOf('list-h1', { vintage: 1991 }),
      issuanceOf('list-h1', { vintage: 1992, firstSerial: '0001', lastSerial: '0010' }),
      issuanceOf('list-h2', { vintage: 1992, expirationDate: '2999-01-01T00:00:00.000Z' }),
    ];
    await inventory.applyIssuances(...made);
    const ids = made.map(({ issuanceId }) => issuanceId);
    const found = async (wanted: Parameters<typeof pages.issuances>[0]): Promise<[unknown[], number | undefined]> => {
      const { rows, total } = await pages.issuances(wanted);
      return [rows.map((row) => row['issuanceId']), total];
    };
    expect(await found({ vintage: 1992 })).toEqual([expect.arrayContaining(ids.slice(1)), 2]);
    expect(await found({ accountHolderId: 'list-h1' })).toEqual([expect.arrayContaining(ids.slice(0, 2)), 2]);
    expect(await found({ accountHolderId: 'list-h1', vintage: 1992, productionFacilityCode: FACILITY })).toEqual([
      [ids[1]],
      1,
    ]);
    expect(await found({ productionFacilityCode: 'NOSUCH' })).toEqual([[], 0]);
    expect(await found({ vintage: 1993 })).toEqual([[], 0]);
    const all = await everyRow((after) => pages.issuances({}, { limit: 2, after }));
    expect((await pages.issuances()).total).toBe(all.length);
    const { rows } = await pages.issuances({ vintage: 1992, accountHolderId: 'list-h1' });
    expect(rows).toMatchObject([{ firstSerial: '0001', lastSerial: '0010', productionFacilityCode: FACILITY }]);
  });
});

describe('the inventory of a trader', () => {
  test('by issuance, vintage, facility and methodology, in pages of any size', async () => {
    const [salesChannelId, traderId] = ['stock', 'stock-a'];
    const listed = { salesChannelId, traderId };
    await inventory.applyIssuances(
      ...[2020, 2021, 2021].map((vintage, index) =>
        issuanceOf('h', { ...listed, vintage, methodologyCode: `M${index}` }),
      ),
    );
    const all = await inventory.list(traderId);
    expect(await everyRow((after) => pages.inventory(traderId, null, { limit: 1, after }))).toEqual(all);
    expect((await pages.inventory(traderId, { vintage: 2021 })).rows).toHaveLength(2);
    expect((await pages.inventory(traderId, { vintage: 2021, methodologyCode: 'M1' })).rows).toHaveLength(1);
    expect((await pages.inventory(traderId, { issuanceId: String(all[1]?.issuanceId) })).rows).toEqual([all[1]]);
    expect((await pages.inventory(traderId, { issuanceId: 'no uuid' })).rows).toEqual([]);
    expect((await pages.inventory(traderId, { productionFacilityId: 'nowhere' })).rows).toEqual([]);
    expect((await pages.inventory(traderId, null, { offset: 2 })).rows).toEqual(all.slice(2));
    expect(await failureOf(pages.inventory(traderId, null, { offset: 100_001 }))).toMatchObject({
      violations: [{ parameter: '$offset', code: 'maximum' }],
    });
  });
});
