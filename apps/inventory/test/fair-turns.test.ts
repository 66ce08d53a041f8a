import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { ledgerPartitionOf, ledgerPartitions } from '@saleschannel/messaging';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { tradeOf, type Part } from './support/transfers.ts';

/** Sales channels take turns in the ledger by the work of their transfers, not by the number of transfers. */

const LARGE_TRANSFERS = 3;
const SELECTIONS = 1_000;
const SELECTIONS_PER_COMMIT_AT_MOST = 2_000;
/** Transfers of one selection with 20 KiB of notes each. */
const NOTED_TRANSFERS = 150;
const NOTES_KIB = 20;
const KIB_PER_COMMIT_AT_MOST = 2_000;

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

/** What was settled together, in order. */
const commitsOf = (taskIds: readonly string[]): Promise<{ taskIds: string[]; selections: number }[]> =>
  inventory.service.sql(
    `select array_agg(ledger_transaction.task_id) as "taskIds", sum(lines.count)::int as selections
     from ledger_transaction
     join lateral (select count(*) from transaction_line where transaction_id = ledger_transaction.id) as lines on true
     where task_id = any($1) group by ledger_transaction.xmin order by min(ledger_transaction.id)`,
    [taskIds],
  );

/** One message, as the relay of tasks makes it: all of it arrives at once, and the last is last. */
async function settleTogether(requests: readonly TransferRequested[]) {
  await inventory.publish(...requests);
  for (const { taskId } of requests) expect(await inventory.answerTo(taskId)).toMatchObject({ said: 'SUCCESS' });
  return commitsOf(requests.map(({ taskId }) => taskId));
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
  const commits = await settleTogether([...floods, line]);
  const sizes = commits.map(({ selections }) => selections);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(SELECTIONS_PER_COMMIT_AT_MOST);
  const withLine = commits.findIndex(({ taskIds }) => taskIds.includes(line.taskId));
  expect(withLine).toBe(0);
  expect(commits[0]?.taskIds).toHaveLength(2);
});

test('one line of a channel is settled with the first of the long notes of another channel', async () => {
  const [noted, small] = [inventory.scene(), inventory.scene()];
  const stock = await noted.issue('1', String(NOTED_TRANSFERS));
  const metadata = { note: 'x'.repeat(NOTES_KIB * 1_024) };
  const floods = Array.from({ length: NOTED_TRANSFERS }, (_, place) => ({
    ...tradeOf(noted.seller, noted.buyer, [[stock, place + 1, place + 1]]),
    metadata,
  }));
  const line = tradeOf(small.seller, small.buyer, [[await issueBeside(small, stock), 1, 1]]);
  const commits = await settleTogether([...floods, line]);
  for (const { taskIds } of commits) expect(taskIds.length * NOTES_KIB).toBeLessThanOrEqual(KIB_PER_COMMIT_AT_MOST);
  expect(commits.findIndex(({ taskIds }) => taskIds.includes(line.taskId))).toBe(0);
});
