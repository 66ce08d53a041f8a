import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { SentTo } from '@saleschannel/grpc';
import { asUser, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory } from './support/inventory.ts';
import { createIssuance } from './support/issuances.ts';
import { readAllRows, type Document, type ReadPage } from './support/pages.ts';
import { createTrade } from './support/transfers.ts';

/** Inventories sorted by issue date, vintage or volume. */

type Order = NonNullable<SentTo<'inventory.PageInventory'>['order']>;

const CHANNEL = 'sorted';
const OWNER = `${CHANNEL}-a`;
const BUYER = `${CHANNEL}-b`;
const members = ['issuingDate', 'vintage', 'volume'] as const;
/** Vintage, day of issue and last serial. Each value occurs twice. */
const issuances = [
  [2021, 3, '3'],
  [2020, 2, '5'],
  [2022, 1, '3'],
  [2021, 1, '9'],
  [2020, 3, '5'],
  [2022, 2, '8'],
] as const;

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
  await inventory.applyIssuances(
    ...issuances.map(([vintage, day, lastSerial]) =>
      createIssuance('h', {
        salesChannelId: CHANNEL,
        traderId: OWNER,
        vintage,
        issuingDate: `2024-05-0${day}T00:00:00.000Z`,
        firstSerial: '1',
        lastSerial,
      }),
    ),
  );
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

async function page(order: Order | null, limit: number, after?: string): Promise<ReadPage & { ordered: boolean }> {
  const options = await asUser(CHANNEL, ['ASSET_VIEWER']);
  const sent = { limit, offset: 0, ...(after !== undefined && { after }) };
  const answer = await inventory.gateway.PageInventory({ traderId: OWNER, order, page: sent }, options);
  const rows = JSON.parse(answer.data.toString()) as Document[];
  return { rows, next: answer.next, total: undefined, ordered: answer.ordered };
}

const toSortValue = (row: Document, by: (typeof members)[number]): bigint =>
  by === 'issuingDate' ? BigInt(Date.parse(String(row['issuingDate']))) : BigInt(serials(row)[by]);
const serials = (row: Document) => {
  const [first, last] = [row['start'], row['end']].map((end) => BigInt(String(end).split('_').at(-1) ?? ''));
  return { vintage: String(row['vintage']), volume: String(BigInt(last ?? 0) - BigInt(first ?? 0) + 1n) };
};

test('pages of any size cover the whole inventory in this order', async () => {
  const all = (await page(null, 100)).rows;
  expect(all).toHaveLength(issuances.length);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...members),
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      async (by, descending, limit) => {
        const rows = await readAllRows((after) => page({ by, descending }, limit, after));
        expect(new Set(rows.map(({ start }) => start))).toEqual(new Set(all.map(({ start }) => start)));
        expect(rows).toHaveLength(all.length);
        const values = rows.map((row) => toSortValue(row, by));
        const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(values).toEqual(descending ? sorted.toReversed() : sorted);
      },
    ),
    { numRuns: 20 },
  );
});

test('replies are marked as ordered. Unknown orders and cursors of other orders are refused', async () => {
  expect((await page(null, 1)).ordered).toBe(false);
  const first = await page({ by: 'vintage', descending: false }, 1);
  expect(first.ordered).toBe(true);
  expect(await catchFailure(page({ by: 'standard', descending: false }, 1))).toMatchObject({
    code: 'invalid-request',
    violations: [{ parameter: '$orderBy' }],
  });
  for (const order of [null, { by: 'vintage', descending: true }, { by: 'issuingDate', descending: false }])
    expect(await catchFailure(page(order, 1, first.next))).toMatchObject({ violations: [{ parameter: '$after' }] });
});

test.each([false, true])('by vintage, no certificate is missed or repeated (descending: %s)', async (descending) => {
  const whole = (await page({ by: 'vintage', descending }, 100)).rows;
  const sumVolumes = (rows: readonly Document[]): bigint =>
    rows.reduce((sum, row) => sum + toSortValue(row, 'volume'), 0n);
  const seen: Document[] = [];
  let sold = 0n;
  let after: string | undefined;
  do {
    const { rows, next } = await page({ by: 'vintage', descending }, 1, after);
    seen.push(...rows);
    // Sells the first certificate of the next bundle.
    const upcoming = whole[seen.length];
    if (upcoming) {
      const first = Number(String(upcoming['start']).split('_').at(-1));
      await inventory.settle(createTrade(OWNER, BUYER, [[String(upcoming['issuanceId']), first, first]]));
      sold += 1n;
    }
    after = next;
  } while (after !== undefined);
  expect(sold).toBe(BigInt(whole.length - 1));
  expect(seen.map((row) => row['issuanceId'])).toEqual(whole.map((row) => row['issuanceId']));
  expect(sumVolumes(seen)).toBe(sumVolumes(whole) - sold);
});
