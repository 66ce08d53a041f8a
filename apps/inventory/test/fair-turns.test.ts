import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ledgerPartitionOf, ledgerPartitions } from '@saleschannel/messaging';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { tradeOf, type Part } from './support/transfers.ts';

/** Sales channels take turns in the ledger by the selections of their transfers, not by the number of transfers. */

const LARGE_TRANSFERS = 3;
const SELECTIONS = 1_000;
const SELECTIONS_PER_COMMIT_AT_MOST = 2_000;

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const partitionOf = (issuanceId: string) => ledgerPartitionOf(`${issuanceId}_1`, ledgerPartitions.length);

/** An issuance of the scene in the same partition of the ledger as another one. */
async function issueBeside(scene: Scene, other: string): Promise<string> {
  for (;;) {
    const issuanceId = await scene.issue();
    if (partitionOf(issuanceId) === partitionOf(other)) return issuanceId;
  }
}

test('one line of a channel is settled before the second large transfer of another channel', async () => {
  const [large, small] = [inventory.scene(), inventory.scene()];
  const stock = await large.issue('1', String(LARGE_TRANSFERS * SELECTIONS));
  const floods = Array.from({ length: LARGE_TRANSFERS }, (_, place) =>
    tradeOf(
      large.seller,
      large.buyer,
      Array.from({ length: SELECTIONS }, (_part, line): Part => {
        const serial = place * SELECTIONS + line + 1;
        return [stock, serial, serial];
      }),
    ),
  );
  const line = tradeOf(small.seller, small.buyer, [[await issueBeside(small, stock), 1, 1]]);
  // One message, as the relay of tasks makes it: all of it arrives at once, and the line is last.
  await inventory.publish(...floods, line);
  for (const { taskId } of [...floods, line])
    expect(await inventory.answerTo(taskId)).toMatchObject({ said: 'SUCCESS' });
  const commits = await inventory.service.sql<{ taskIds: string[]; selections: number }>(
    `select array_agg(ledger_transaction.task_id) as "taskIds", sum(lines.count)::int as selections
     from ledger_transaction
     join lateral (select count(*) from transaction_line where transaction_id = ledger_transaction.id) as lines on true
     where task_id = any($1) group by ledger_transaction.xmin order by min(ledger_transaction.id)`,
    [[...floods, line].map(({ taskId }) => taskId)],
  );
  const sizes = commits.map(({ selections }) => selections);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(SELECTIONS_PER_COMMIT_AT_MOST);
  const withLine = commits.findIndex(({ taskIds }) => taskIds.includes(line.taskId));
  expect(withLine).toBe(0);
  expect(commits[0]?.taskIds).toHaveLength(2);
});
