import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { asUser, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { FACILITY, createIssuance } from './support/issuances.ts';
import {
  readAllRows,
  createPageReads,
  type ChannelListRequest,
  type Document,
  type TransactionListRequest,
} from './support/pages.ts';
import { holderOf, createOfframp, createRetirement, createTrade } from './support/transfers.ts';

/** Lists: pages of any size, filters, exact totals, and changes between pages. */

let inventory: Inventory;
let pages: ReturnType<typeof createPageReads>;
let scene: Scene;
let issued: string;
let pending: string;

beforeAll(async () => {
  inventory = await startInventory();
  pages = createPageReads(inventory);
  scene = inventory.scene();
  issued = await scene.issue('1', '20');
  const { seller, buyer } = scene;
  await inventory.settleTransaction(createTrade(seller, buyer, [[issued, 1, 1]]));
  await inventory.settleTransaction(createTrade(seller, buyer, [[issued, 2, 2]]));
  await inventory.settleTransaction(createRetirement(seller, [[issued, 3, 3]]));
  await inventory.settleTransaction(createOfframp(seller, [[issued, 4, 4]]));
  await inventory.settleTransaction(createTrade(buyer, seller, [[issued, 1, 1]]));
  const approved = { autoApproval: false, accountHolderId: holderOf(seller) };
  pending = await inventory.settleTransaction(createTrade(seller, buyer, [[issued, 5, 6]], approved));
  await inventory.reject(await inventory.settleTransaction(createTrade(seller, buyer, [[issued, 7, 8]], approved)));
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const matches = (row: Document, { type, status }: { type?: string; status?: string }): boolean =>
  (type === undefined || row['type'] === type) && (status === undefined || row['status'] === status);

const types = ['ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP', undefined];
const statuses = ['PENDING', 'SUCCESS', 'REJECTED', 'FAILED', undefined];
const omitUndefined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

describe('transactions of the registry', () => {
  test('with any filter and page size match the whole list, with an exact total', async () => {
    const all = await readAllRows((after) => pages.transactions({}, { after }));
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
          const request = omitUndefined({
            type,
            status,
            createdAt: omitUndefined({ gte, lte }),
          }) as TransactionListRequest;
          const expected = all.filter(
            (row) =>
              matches(row, omitUndefined({ type, status })) &&
              (gte === undefined || String(row['createdAt']) >= gte) &&
              (lte === undefined || String(row['createdAt']) <= lte),
          );
          expect(await readAllRows((after) => pages.transactions(request, { limit, after }))).toEqual(expected);
          expect((await pages.transactions(request, { limit })).total).toBe(expected.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('can be filtered by account holder and status', async () => {
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

  test('have an exact total in any range of time, from stored hours and partial hours', async () => {
    const traderId = 'past-a';
    const issuanceId = await inventory.issue('past', traderId);
    const times = ['2025-03-01T09:59:59.999Z', '2025-03-01T10:00:00Z', '2025-03-01T10:30:00Z', '2025-03-01T12:00:00Z'];
    for (const [index, at] of times.entries()) {
      await inventory.transaction(
        `insert into ledger_transaction (id, type, status, buyer_id, created_at, completed_at)
         values ('past-${index}', 'ISSUANCE', 'SUCCESS', '${traderId}', '${at}', '${at}')`,
        `insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
         select 'past-${index}', 0, issuance_id, previous_last + 1, last, id from bundle
         where issuance_id = '${issuanceId}' and state = 'LISTABLE'`,
      );
    }
    const count = async (bounds: Record<string, string>): Promise<number | undefined> => {
      const { rows, total } = await pages.transactions({ createdAt: { lt: '2025-06-01T00:00:00Z', ...bounds } });
      expect(rows).toHaveLength(Number(total));
      return total;
    };
    expect(await count({})).toBe(4);
    expect(await count({ gte: '2025-03-01T10:00:00Z' })).toBe(3);
    expect(await count({ gt: '2025-03-01T10:00:00Z' })).toBe(2);
    expect(await count({ gte: '2025-03-01T09:59:59.999Z', lt: '2025-03-01T12:00:00Z' })).toBe(3);
    expect(await count({ gte: '2025-03-01T10:15:00Z', lte: '2025-03-01T10:45:00Z' })).toBe(1);
    expect(await count({ gte: '2025-03-01T10:00:00.001Z', lte: '2025-03-01T12:00:00Z' })).toBe(2);
    expect(await count({ gte: '2025-04-01T00:00:00Z' })).toBe(0);
  });

  test.each<[TransactionListRequest, string]>([
    [{ status: 'DONE' }, 'status'],
    [{ type: 'GIFT' }, 'type'],
    [{ accountHolderId: '' }, 'accountHolderId'],
    [{ createdAt: { gte: 'yesterday' } }, 'createdAt'],
  ])('invalid-request: %j', async (request, parameter) => {
    expect(await catchFailure(pages.transactions(request))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter }],
    });
  });
});

describe('transactions of a sales channel', () => {
  test('with any filter, order and page size match the whole list', async () => {
    const { channel, seller, buyer } = scene;
    const all = await readAllRows((after) => pages.channel(channel, {}, { after }));
    expect(all).toHaveLength(7);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('TRADE', 'RETIREMENT', 'OFFRAMP', undefined),
        fc.constantFrom(...statuses),
        fc.constantFrom(seller, buyer, undefined),
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (type, status, traderId, descending, limit) => {
          const filter = omitUndefined({ type, status, traderId }) as NonNullable<ChannelListRequest['filter']>;
          const expected = all.filter(
            (row) =>
              matches(row, omitUndefined({ type, status })) &&
              (traderId === undefined || row['sellerId'] === traderId || row['buyerId'] === traderId),
          );
          const read = (after: string | undefined) => pages.channel(channel, { filter, descending }, { limit, after });
          expect(await readAllRows(read)).toEqual(descending ? expected.toReversed() : expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('never include those of another channel, even with its cursor', async () => {
    const { next } = await pages.channel(scene.channel, {}, { limit: 2 });
    expect(await pages.channel('other', { filter: { traderId: scene.seller } })).toMatchObject({ rows: [] });
    expect(await catchFailure(pages.channel('other', {}, { limit: 2, after: next }))).toMatchObject({
      code: 'invalid-request',
      violations: [{ parameter: '$after', code: 'cursor' }],
    });
  });

  test('have the terms of a retirement in their detail', async () => {
    const options = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
    const detail = async (transactionId: unknown): Promise<Document> => {
      const request = { transactionId: String(transactionId) };
      return JSON.parse(String((await inventory.gateway.GetTransactionDetail(request, options)).data)) as Document;
    };
    const all = await readAllRows((after) => pages.channel(scene.channel, {}, { after }));
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
    expect(await catchFailure(inventory.gateway.GetTransactionDetail(foreign, other))).toMatchObject({
      code: 'not-found',
    });
  });
});

describe('certificates of the registry', () => {
  test('with any filter and page size match the whole list, with an exact total', async () => {
    const all = await readAllRows((after) => pages.certificates({}, { after }));
    const one = (member: string) => fc.constantFrom(...all.map((row) => row[member] ?? undefined), undefined, 'nobody');
    await fc.assert(
      fc.asyncProperty(
        one('issuanceId'),
        one('ownerId'),
        one('salesChannelId'),
        fc.constantFrom('HELD', 'LISTABLE', 'RESERVED', undefined),
        fc.integer({ min: 1, max: 4 }),
        async (issuanceId, ownerId, salesChannelId, status, limit) => {
          const request = omitUndefined({ issuanceId, ownerId, salesChannelId, status });
          const expected = all.filter((row) => Object.entries(request).every(([name, value]) => row[name] === value));
          expect(await readAllRows((after) => pages.certificates(request, { limit, after }))).toEqual(expected);
          expect((await pages.certificates(request, { limit })).total).toBe(expected.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('are neither listed nor counted once they expire', async () => {
    const ownerId = 'expiring-a';
    const filter = { salesChannelId: 'expiring', traderId: ownerId, expirationDate: '2999-01-01T00:00:00.000Z' };
    const issuances = [createIssuance('h', filter), createIssuance('h', filter)];
    await inventory.applyIssuances(...issuances);
    expect(await pages.certificates({ ownerId })).toMatchObject({ total: 2, next: undefined });
    const everything = Number((await pages.certificates()).total);
    await inventory.expire(String(issuances[0]?.issuanceId));
    expect((await pages.certificates({ ownerId })).total).toBe(1);
    expect((await pages.certificates()).total).toBe(everything - 1);
  });

  test('have exact ranges, even if bundles split and merge between two pages', async () => {
    const { channel, seller, buyer, issue } = inventory.scene();
    const issuanceId = await issue('1', '30');
    const approved = { autoApproval: false, accountHolderId: holderOf(seller) };
    const reserve = (first: number, last: number): Promise<string> =>
      inventory.settleTransaction(createTrade(seller, buyer, [[issuanceId, first, last]], approved));
    const reserved = [await reserve(1, 5), await reserve(6, 10), await reserve(11, 20)];
    const toRanges = (rows: Document[]): string[] =>
      rows.map((row) => [row['start'], row['end']].map((end) => String(end).split('_')[1]).join('-'));
    const first = await pages.certificates({ issuanceId }, { limit: 2 });
    expect(toRanges(first.rows)).toEqual(['1-5', '6-10']);
    // All merge into one bundle. The next page does not repeat certificates.
    for (const id of reserved) await inventory.reject(id);
    expect(await inventory.listRanges(seller, issuanceId)).toEqual(['1-30']);
    const merged = await pages.certificates({ issuanceId }, { limit: 2, after: first.next });
    expect(toRanges(merged.rows)).toEqual(['11-30']);
    // It splits again. The next page skips no certificates.
    await inventory.settleTransaction(createTrade(seller, buyer, [[issuanceId, 1, 15]]));
    const split = await pages.certificates({ issuanceId }, { limit: 2, after: first.next });
    expect(toRanges(split.rows)).toEqual(['11-15', '16-30']);
    expect((await pages.inventory(buyer)).rows).toHaveLength(1);
    expect(channel).toBe(buyer.slice(0, channel.length));
  });

  test('of an issuance are counted in place, without a delta per trade', async () => {
    const { issue, buyer } = inventory.scene();
    const issuance = await issue('1', '20');
    const [ours, counts] = [`issuance_id = '${issuance}'`, `key like 'issuance/%/${issuance}'`];
    const sold = `'${buyer}', sales_channel_id from bundle where ${ours} and state = 'LISTABLE'`;
    // These rows break the ledger, so the error reports the counts and rolls back.
    const failed = await catchFailure(
      inventory.service.sql(`do $$ begin
        update bundle set previous_last = 5 where ${ours} and state = 'LISTABLE';
        insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
          select issuance_id, 0, 2, 'LISTABLE', ${sold};
        insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
          select issuance_id, 2, 5, 'LISTABLE', ${sold} and last = 20;
        update bundle set state = 'RESERVED' where ${ours} and last = 5;
        raise exception '%, % deltas',
          (select string_agg(split_part(key, '/', 2) || ' ' || rows, ', ' order by key)
            from list_count where ${counts}),
          (select count(*) from list_count_delta where ${counts});
      end $$`),
    );
    expect((failed as Error).message).toBe('LISTABLE 2, RESERVED 1, 0 deltas');
  });

  test('have exact totals during concurrent trades and retirements', async () => {
    const { seller, buyer, issue } = inventory.scene();
    const issuances = await Promise.all(Array.from({ length: 4 }, () => issue('1', '20')));
    const moving = Promise.all(
      issuances.flatMap((id) =>
        [1, 2, 3].map((serial) =>
          serial === 2
            ? inventory.settle(createRetirement(seller, [[id, serial, serial]]))
            : inventory.settle(createTrade(seller, buyer, [[id, serial, serial]])),
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
  test('are filtered by facility, vintage and owner', async () => {
    const issuances = [
      createIssuance('list-h1', { vintage: 1991 }),
      createIssuance('list-h1', { vintage: 1992, firstSerial: '0001', lastSerial: '0010' }),
      createIssuance('list-h2', { vintage: 1992, expirationDate: '2999-01-01T00:00:00.000Z' }),
    ];
    await inventory.applyIssuances(...issuances);
    const ids = issuances.map(({ issuanceId }) => issuanceId);
    const find = async (request: Parameters<typeof pages.issuances>[0]): Promise<[unknown[], number | undefined]> => {
      const { rows, total } = await pages.issuances(request);
      return [rows.map((row) => row['issuanceId']), total];
    };
    expect(await find({ vintage: 1992 })).toEqual([expect.arrayContaining(ids.slice(1)), 2]);
    expect(await find({ accountHolderId: 'list-h1' })).toEqual([expect.arrayContaining(ids.slice(0, 2)), 2]);
    expect(await find({ accountHolderId: 'list-h1', vintage: 1992, productionFacilityCode: FACILITY })).toEqual([
      [ids[1]],
      1,
    ]);
    expect(await find({ productionFacilityCode: 'NOSUCH' })).toEqual([[], 0]);
    expect(await find({ vintage: 1993 })).toEqual([[], 0]);
    const all = await readAllRows((after) => pages.issuances({}, { limit: 2, after }));
    expect((await pages.issuances()).total).toBe(all.length);
    const { rows } = await pages.issuances({ vintage: 1992, accountHolderId: 'list-h1' });
    expect(rows).toMatchObject([{ firstSerial: '0001', lastSerial: '0010', productionFacilityCode: FACILITY }]);
  });
});

describe('the inventory of a trader', () => {
  test('is filtered by issuance, vintage, facility and methodology, in pages of any size', async () => {
    const [salesChannelId, traderId] = ['stock', 'stock-a'];
    const listed = { salesChannelId, traderId };
    await inventory.applyIssuances(
      ...[2020, 2021, 2021].map((vintage, index) =>
        createIssuance('h', { ...listed, vintage, methodologyCode: `M${index}` }),
      ),
    );
    const all = await inventory.list(traderId);
    expect(await readAllRows((after) => pages.inventory(traderId, null, { limit: 1, after }))).toEqual(all);
    expect((await pages.inventory(traderId, { vintage: 2021 })).rows).toHaveLength(2);
    expect((await pages.inventory(traderId, { vintage: 2021, methodologyCode: 'M1' })).rows).toHaveLength(1);
    expect((await pages.inventory(traderId, { issuanceId: String(all[1]?.issuanceId) })).rows).toEqual([all[1]]);
    expect((await pages.inventory(traderId, { issuanceId: 'no uuid' })).rows).toEqual([]);
    expect((await pages.inventory(traderId, { productionFacilityId: 'nowhere' })).rows).toEqual([]);
    expect((await pages.inventory(traderId, null, { offset: 2 })).rows).toEqual(all.slice(2));
    expect(await catchFailure(pages.inventory(traderId, null, { offset: 100_001 }))).toMatchObject({
      violations: [{ parameter: '$offset', code: 'maximum' }],
    });
  });
});
