import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startInventory, type Inventory } from './support/inventory.ts';
import { pagesFrom } from './support/pages.ts';

/** How many transactions a range of time has. */

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const moments = ['2025-03-01T09:59:59.999Z', '2025-03-01T10:00:00Z', '2025-03-01T10:30:00Z', '2025-03-01T12:00:00Z'];

test('transactions of a range of time are counted by hours and their rest, exactly', async () => {
  const issued = await inventory.issue('c', 'c-seller');
  for (const [index, at] of moments.entries()) {
    await inventory.transaction(
      `insert into ledger_transaction (id, type, status, buyer_id, created_at, completed_at)
       values ('old-${index}', 'ISSUANCE', 'SUCCESS', 'h', '${at}', '${at}')`,
      `insert into transaction_line (transaction_id, ordinal, issuance_id, first, last, bundle_id)
       select 'old-${index}', 0, issuance_id, previous_last + 1, last, id from bundle
       where issuance_id = '${issued}' and state = 'LISTABLE'`,
    );
  }
  const total = async (bounds: Record<string, string>): Promise<number | undefined> => {
    const createdAt = { lt: '2025-06-01T00:00:00Z', ...bounds };
    const { rows, total: counted } = await pagesFrom(inventory).transactions({ createdAt });
    expect(rows).toHaveLength(Number(counted));
    return counted;
  };
  expect(await total({})).toBe(4);
  expect(await total({ gte: '2025-03-01T10:00:00Z' })).toBe(3);
  expect(await total({ gt: '2025-03-01T10:00:00Z' })).toBe(2);
  expect(await total({ gte: '2025-03-01T09:59:59.999Z', lt: '2025-03-01T12:00:00Z' })).toBe(3);
  expect(await total({ gte: '2025-03-01T10:15:00Z', lte: '2025-03-01T10:45:00Z' })).toBe(1);
  expect(await total({ gte: '2025-03-01T10:00:00.001Z', lte: '2025-03-01T12:00:00Z' })).toBe(2);
  expect(await total({ gte: '2025-04-01T00:00:00Z' })).toBe(0);
});
