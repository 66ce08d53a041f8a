import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { failureOf } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { holdersFrom } from './support/holders.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { everyRow, type Document } from './support/pages.ts';
import { holderOf, offrampOf, retirementOf, tradeOf, type Part } from './support/transfers.ts';

/** Transactions as account holders see them, and their word on those that wait. */

let inventory: Inventory;
let holders: ReturnType<typeof holdersFrom>;
let scene: Scene;
let seller: string;
let buyer: string;
/** Account holders of the scene's traders. */
let holder: string;
let buyingHolder: string;

beforeAll(async () => {
  inventory = await startInventory();
  await inventory.replica();
  holders = holdersFrom(inventory);
});
beforeEach(() => {
  scene = inventory.scene();
  ({ seller, buyer } = scene);
  [holder, buyingHolder] = [holderOf(seller), holderOf(buyer)];
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const bought = (parts: Part[], autoApproval = true) =>
  tradeOf(seller, buyer, parts, { autoApproval, accountHolderId: holder });
/** A trade that waits for its seller. */
const waiting = (parts: Part[]): Promise<string> => inventory.transact(bought(parts, false));

describe('the list', () => {
  let ids: Record<'issuance' | 'sale' | 'retirement' | 'offramp' | 'waiting' | 'purchase', string>;
  beforeEach(async () => {
    const issuance = await scene.issue('1', '60');
    const accountHolderId = holder;
    ids = {
      issuance,
      sale: await inventory.transact(bought([[issuance, 1, 10]])),
      retirement: await inventory.transact(retirementOf(seller, [[issuance, 11, 20]], { accountHolderId })),
      offramp: await inventory.transact(offrampOf(seller, [[issuance, 21, 30]], { accountHolderId })),
      waiting: await waiting([[issuance, 31, 40]]),
      purchase: await inventory.transact(tradeOf(buyer, seller, [[issuance, 1, 5]], { accountHolderId: buyingHolder })),
    };
    // Between others of the channel, and of no interest to the account holder.
    await inventory.transact(tradeOf(buyer, scene.trader('third'), [[issuance, 6, 7]]));
  });

  const idsOf = (rows: Document[]) => rows.map((row) => row['transactionId']);

  test('has what the account holder gave, got or offered, and what its traders bought', async () => {
    const rows = await holders.transactions(holder);
    expect(idsOf(rows)).toEqual(Object.values(ids));
    expect(idsOf(await holders.transactions(buyingHolder))).toEqual([ids.sale, ids.waiting, ids.purchase]);
    expect(await holders.transactions(newId())).toEqual([]);
  });

  test('shows each as the registry does, with the names of those who take part', async () => {
    const [issued, sold] = await holders.transactions(holder);
    expect(sold).toEqual({
      transactionId: ids.sale,
      type: 'TRADE',
      status: 'SUCCESS',
      salesChannelId: scene.channel,
      salesChannelName: `Channel ${scene.channel}`,
      sellerId: seller,
      sellerName: `Trader ${seller}`,
      buyerId: buyer,
      buyerName: `Trader ${buyer}`,
      createdAt: expect.any(String),
      completedAt: expect.any(String),
      assets: [{ start: `${ids.issuance}_1`, end: `${ids.issuance}_10`, unitPrice: 12.5, volume: 10 }],
      currency: 'EUR',
      retirement: null,
    });
    expect(issued).toMatchObject({ type: 'ISSUANCE', sellerId: null, sellerName: null, buyerName: `Trader ${seller}` });
    for (const [id, whose] of [
      [ids.sale, holder],
      [ids.sale, buyingHolder],
      [ids.purchase, holder],
      [ids.issuance, holder],
    ] as const) {
      const listed = (await holders.transactions(whose)).find((row) => row['transactionId'] === id);
      expect(await holders.transaction(whose, id)).toEqual(listed);
    }
  });

  test('by type, status, time and order, in pages of any size, is that of the whole list', async () => {
    const all = await holders.transactions(holder);
    const times = all.map((row) => String(row['createdAt']));
    const filters = [
      {},
      { type: 'TRADE' },
      { type: 'RETIREMENT' },
      { status: 'PENDING' },
      { status: 'SUCCESS', type: 'TRADE' },
      { type: 'ISSUANCE', status: 'PENDING' },
    ];
    for (const filter of [...filters, { createdAt: { gte: times[1] ?? '', lte: times[4] ?? '' } }]) {
      const { createdAt, ...kind } = filter as { createdAt?: { gte: string; lte: string } };
      const wanted = all.filter(
        (row) =>
          Object.entries(kind).every(([name, value]) => row[name] === value) &&
          (!createdAt || (String(row['createdAt']) >= createdAt.gte && String(row['createdAt']) <= createdAt.lte)),
      );
      for (const descending of [false, true]) {
        const request = { filter, descending };
        const expected = descending ? wanted.toReversed() : wanted;
        expect({ filter, rows: await holders.transactions(holder, request) }).toEqual({ filter, rows: expected });
        const paged = everyRow((after) => holders.pageOfTransactions(holder, { limit: 2, after }, request));
        expect(await paged).toEqual(expected);
      }
    }
  });

  test('goes on for one account holder alone, and refuses what no filter is', async () => {
    const { next } = await holders.pageOfTransactions(holder, { limit: 1 });
    const elsewhere = holders.pageOfTransactions(buyingHolder, { limit: 1, after: next });
    expect(await failureOf(elsewhere)).toMatchObject({ violations: [{ parameter: '$after', code: 'cursor' }] });
    const wrong = holders.transactions(holder, { filter: { status: 'DONE' } });
    expect(await failureOf(wrong)).toMatchObject({ violations: [{ parameter: '$filter' }] });
  });
});

describe('the word of the seller', () => {
  test('approves, or rejects, as the registry would, and may be said again', async () => {
    const issuance = await scene.issue();
    const [one, other] = [await waiting([[issuance, 1, 4]]), await waiting([[issuance, 5, 6]])];
    const approved = await holders.approve(holder, one);
    expect(approved).toMatchObject({
      status: 'SUCCESS',
      buyerName: `Trader ${buyer}`,
      completedAt: expect.any(String),
    });
    expect(await holders.approve(holder, one)).toEqual(approved);
    const rejected = await holders.reject(holder, other);
    expect(rejected).toMatchObject({ status: 'REJECTED' });
    expect(await holders.reject(holder, other)).toEqual(rejected);
    expect(await inventory.ranges(buyer)).toEqual(['1-4']);
    expect(await inventory.ranges(seller)).toEqual(['5-10']);
    expect(await failureOf(holders.reject(holder, one))).toMatchObject({
      code: 'request-refused',
      violations: [{ parameter: 'transactionId', code: 'already-success' }],
    });
    expect(await failureOf(holders.approve(holder, other))).toMatchObject({
      violations: [{ parameter: 'transactionId', code: 'already-rejected' }],
    });
    expect(await inventory.approve(one)).toMatchObject({ status: 'SUCCESS' });
  });

  test.each(['approve', 'reject'] as const)('%s: nobody else has one, not even the buyer', async (word) => {
    const issuance = await scene.issue();
    const id = await waiting([[issuance, 1, 4]]);
    expect(await holders.transaction(buyingHolder, id)).toMatchObject({ status: 'PENDING' });
    const strangers = [
      holders[word](buyingHolder, id),
      holders[word](newId(), id),
      holders[word](holder, newId()),
      holders[word](holder, issuance),
      holders.transaction(newId(), id),
    ];
    const failures = await Promise.all(strangers.map((each) => failureOf(each)));
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect(await holders.transaction(holder, id)).toMatchObject({ status: 'PENDING' });
  });

  test.each([
    ['the sales channel', () => scene.channel, 'sales-channel-suspended'],
    ['the seller', () => holder, 'account-holder-suspended'],
    ['the buyer', () => buyingHolder, 'account-holder-suspended'],
  ])('while %s is suspended is refused, and what waits is still read', async (_what, whom, code) => {
    const id = await waiting([[await scene.issue(), 1, 4]]);
    inventory.suspended.add(whom());
    try {
      for (const word of ['approve', 'reject'] as const)
        expect(await failureOf(holders[word](holder, id))).toMatchObject({
          code: 'request-refused',
          violations: [{ parameter: 'transactionId', code }],
        });
      expect(await holders.transaction(holder, id)).toMatchObject({ status: 'PENDING' });
      expect(await holders.holdings(holder, { state: 'RESERVED' })).toHaveLength(1);
    } finally {
      inventory.suspended.delete(whom());
    }
    expect(await holders.approve(holder, id)).toMatchObject({ status: 'SUCCESS' });
  });

  test('is in the trails of the channel and the registry, with the user who said it', async () => {
    const id = await waiting([[await scene.issue(), 1, 4]]);
    await holders.approve(holder, id);
    const events = await inventory.service.sql<{ scope: string; event: string }>(
      `select scope, event from audit_event where event like $1 and event like '%transaction.approved%'`,
      [`%${id}%`],
    );
    const actors = events.map(({ scope, event }) => [scope, (JSON.parse(event) as { actor: object }).actor] as const);
    expect(Object.fromEntries(actors)).toEqual({
      registry: { kind: 'user', id: expect.any(String), accountHolderId: holder },
      [scene.channel]: { kind: 'user' },
    });
  });

  test.each([
    ['itself', (id: string) => holders.reject(holder, id)],
    ['the registry', (id: string) => inventory.reject(id)],
  ])('races against %s: one of both holds, and is all that happened', async (_whom, reject) => {
    const issuance = await scene.issue('1', '20');
    for (let first = 1; first <= 10; first++) {
      const id = await waiting([[issuance, first, first]]);
      const said = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? holders.approve(holder, id) : reject(id))),
      );
      const held = said.flatMap((each) => (each.status === 'fulfilled' ? [each.value as { status: string }] : []));
      const refused = said.flatMap((each) => (each.status === 'rejected' ? [each.reason as { code: string }] : []));
      expect(new Set(held.map(({ status }) => status)).size).toBe(1);
      expect([held.length, refused.length]).toEqual([3, 3]);
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['request-refused']));
      const { status } = held[0] ?? {};
      expect(await holders.transaction(holder, id)).toMatchObject({ status });
      const acts = await inventory.service.sql(
        `select 1 from audit_event where scope = 'registry' and event like $1 and event like '%.transaction.%'`,
        [`%${id}%`],
      );
      expect(acts).toHaveLength(1);
      // The next one begins where the bundle does now.
      if (status === 'REJECTED') await inventory.transact(bought([[issuance, first, first]]));
    }
  });
});
