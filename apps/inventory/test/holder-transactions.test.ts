import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { createHolderCalls } from './support/holders.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { readAllRows, type Document } from './support/pages.ts';
import { holderOf, createOfframp, createRetirement, createTrade, type Part } from './support/transfers.ts';

/** Transactions of account holders, and their decisions on pending ones. */

let inventory: Inventory;
let holders: ReturnType<typeof createHolderCalls>;
let scene: Scene;
let seller: string;
let buyer: string;
/** Account holders of the scene's traders. */
let holder: string;
let buyingHolder: string;

beforeAll(async () => {
  inventory = await startInventory();
  await inventory.replica();
  holders = createHolderCalls(inventory);
});
beforeEach(() => {
  scene = inventory.scene();
  ({ seller, buyer } = scene);
  [holder, buyingHolder] = [holderOf(seller), holderOf(buyer)];
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const createSale = (parts: Part[], autoApproval = true) =>
  createTrade(seller, buyer, parts, { autoApproval, accountHolderId: holder });
/** Creates a trade that needs approval. */
const createPending = (parts: Part[]): Promise<string> => inventory.settleTransaction(createSale(parts, false));

describe('the list', () => {
  let ids: Record<'issuance' | 'sale' | 'retirement' | 'offramp' | 'waiting' | 'purchase', string>;
  beforeEach(async () => {
    const issuance = await scene.issue('1', '60');
    const accountHolderId = holder;
    ids = {
      issuance,
      sale: await inventory.settleTransaction(createSale([[issuance, 1, 10]])),
      retirement: await inventory.settleTransaction(
        createRetirement(seller, [[issuance, 11, 20]], { accountHolderId }),
      ),
      offramp: await inventory.settleTransaction(createOfframp(seller, [[issuance, 21, 30]], { accountHolderId })),
      waiting: await createPending([[issuance, 31, 40]]),
      purchase: await inventory.settleTransaction(
        createTrade(buyer, seller, [[issuance, 1, 5]], { accountHolderId: buyingHolder }),
      ),
    };
    // A trade of other traders, which the account holder does not see.
    await inventory.settleTransaction(createTrade(buyer, scene.trader('third'), [[issuance, 6, 7]]));
  });

  const toIds = (rows: Document[]) => rows.map((row) => row['transactionId']);

  test('has transactions of the account holder, and purchases of its traders', async () => {
    const rows = await holders.transactions(holder);
    expect(toIds(rows)).toEqual(Object.values(ids));
    expect(toIds(await holders.transactions(buyingHolder))).toEqual([ids.sale, ids.waiting, ids.purchase]);
    expect(await holders.transactions(newId())).toEqual([]);
  });

  test('shows the view of the registry, with the names of the parties', async () => {
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

  test('filtered by type, status and time, in both orders and any pages, matches the whole list', async () => {
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
      const matching = all.filter(
        (row) =>
          Object.entries(kind).every(([name, value]) => row[name] === value) &&
          (!createdAt || (String(row['createdAt']) >= createdAt.gte && String(row['createdAt']) <= createdAt.lte)),
      );
      for (const descending of [false, true]) {
        const request = { filter, descending };
        const expected = descending ? matching.toReversed() : matching;
        expect({ filter, rows: await holders.transactions(holder, request) }).toEqual({ filter, rows: expected });
        const paged = readAllRows((after) => holders.pageOfTransactions(holder, { limit: 2, after }, request));
        expect(await paged).toEqual(expected);
      }
    }
  });

  test('refuses cursors of other account holders, and invalid filters', async () => {
    const { next } = await holders.pageOfTransactions(holder, { limit: 1 });
    const elsewhere = holders.pageOfTransactions(buyingHolder, { limit: 1, after: next });
    expect(await catchFailure(elsewhere)).toMatchObject({ violations: [{ parameter: '$after', code: 'cursor' }] });
    const wrong = holders.transactions(holder, { filter: { status: 'DONE' } });
    expect(await catchFailure(wrong)).toMatchObject({ violations: [{ parameter: '$filter' }] });
  });
});

describe('a decision of the seller', () => {
  test('approves or rejects like the registry, and may be repeated', async () => {
    const issuance = await scene.issue();
    const [one, other] = [await createPending([[issuance, 1, 4]]), await createPending([[issuance, 5, 6]])];
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
    expect(await inventory.listRanges(buyer)).toEqual(['1-4']);
    expect(await inventory.listRanges(seller)).toEqual(['5-10']);
    expect(await catchFailure(holders.reject(holder, one))).toMatchObject({
      code: 'request-refused',
      violations: [{ parameter: 'transactionId', code: 'already-success' }],
    });
    expect(await catchFailure(holders.approve(holder, other))).toMatchObject({
      violations: [{ parameter: 'transactionId', code: 'already-rejected' }],
    });
    expect(await inventory.approve(one)).toMatchObject({ status: 'SUCCESS' });
  });

  test.each(['approve', 'reject'] as const)('%s is only for the seller, not even for the buyer', async (decision) => {
    const issuance = await scene.issue();
    const id = await createPending([[issuance, 1, 4]]);
    expect(await holders.transaction(buyingHolder, id)).toMatchObject({ status: 'PENDING' });
    const strangers = [
      holders[decision](buyingHolder, id),
      holders[decision](newId(), id),
      holders[decision](holder, newId()),
      holders[decision](holder, issuance),
      holders.transaction(newId(), id),
    ];
    const failures = await Promise.all(strangers.map((each) => catchFailure(each)));
    expect(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(failures[0]).toMatchObject({ code: 'not-found' });
    expect(await holders.transaction(holder, id)).toMatchObject({ status: 'PENDING' });
  });

  test.each([
    ['the sales channel', () => scene.channel, 'sales-channel-suspended'],
    ['the seller', () => holder, 'account-holder-suspended'],
    ['the buyer', () => buyingHolder, 'account-holder-suspended'],
  ])('is refused while %s is suspended, and the transaction stays readable', async (_name, whom, code) => {
    const id = await createPending([[await scene.issue(), 1, 4]]);
    inventory.suspended.add(whom());
    try {
      for (const decision of ['approve', 'reject'] as const)
        expect(await catchFailure(holders[decision](holder, id))).toMatchObject({
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

  test('is in the audit trails of the channel and the registry, with its user', async () => {
    const id = await createPending([[await scene.issue(), 1, 4]]);
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
    ['the seller itself', (id: string) => holders.reject(holder, id)],
    ['the registry', (id: string) => inventory.reject(id)],
  ])('races against %s: one decision succeeds and is recorded', async (_name, reject) => {
    const issuance = await scene.issue('1', '20');
    for (let first = 1; first <= 10; first++) {
      const id = await createPending([[issuance, first, first]]);
      const results = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? holders.approve(holder, id) : reject(id))),
      );
      const succeeded = results.flatMap((each) =>
        each.status === 'fulfilled' ? [each.value as { status: string }] : [],
      );
      const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as { code: string }] : []));
      expect(new Set(succeeded.map(({ status }) => status)).size).toBe(1);
      expect([succeeded.length, refused.length]).toEqual([3, 3]);
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['request-refused']));
      const { status } = succeeded[0] ?? {};
      expect(await holders.transaction(holder, id)).toMatchObject({ status });
      const acts = await inventory.service.sql(
        `select 1 from audit_event where scope = 'registry' and event like $1 and event like '%.transaction.%'`,
        [`%${id}%`],
      );
      expect(acts).toHaveLength(1);
      // Makes the bundle start at the next certificate.
      if (status === 'REJECTED') await inventory.settleTransaction(createSale([[issuance, first, first]]));
    }
  });
});
