import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TransferRequested } from '@saleschannel/contracts';
import { ledgerPartitionOf, ledgerPartitions } from '@saleschannel/messaging';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { createTrade, type Part } from './support/transfers.ts';

/** Sales channels take turns by the cost of their transfers, not by their number. */

const LARGE_TRANSFERS = 3;
const SELECTIONS = 1_000;
const MAX_SELECTIONS_PER_COMMIT = 2_000;
/** Transfers of one selection with 20 KiB of metadata each. */
const METADATA_TRANSFERS = 150;
const METADATA_KIB = 20;
const MAX_KIB_PER_COMMIT = 2_000;

let inventory: Inventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(async () => {
  await audit(inventory.service).finally(() => inventory.stop());
});

const partitionOf = (issuanceId: string) => ledgerPartitionOf(`${issuanceId}_1`, ledgerPartitions.length);

/** Creates an issuance in the same partition as another one. */
async function issueBeside(scene: Scene, other: string): Promise<string> {
  for (;;) {
    const issuanceId = await scene.issue();
    if (partitionOf(issuanceId) === partitionOf(other)) return issuanceId;
  }
}

/** Transfers that were settled together, in order of commits. */
const findCommits = (taskIds: readonly string[]): Promise<{ taskIds: string[]; selections: number }[]> =>
  inventory.service.sql(
    `select array_agg(ledger_transaction.task_id) as "taskIds", sum(lines.count)::int as selections
     from ledger_transaction
     join lateral (select count(*) from transaction_line where transaction_id = ledger_transaction.id) as lines on true
     where task_id = any($1) group by ledger_transaction.xmin order by min(ledger_transaction.id)`,
    [taskIds],
  );

/** Publishes one message, like the relay of tasks, so that all transfers arrive at once and in order. */
async function settleTogether(requests: readonly TransferRequested[]) {
  await inventory.publish(...requests);
  for (const { taskId } of requests)
    expect(await inventory.waitForReport(taskId)).toMatchObject({ outcome: 'SUCCESS' });
  return findCommits(requests.map(({ taskId }) => taskId));
}

test('a small transfer is settled before the second large transfer of another channel', async () => {
  const [large, small] = [inventory.scene(), inventory.scene()];
  const stock = await large.issue('1', String(LARGE_TRANSFERS * SELECTIONS));
  const floods = Array.from({ length: LARGE_TRANSFERS }, (_, index) =>
    createTrade(
      large.seller,
      large.buyer,
      Array.from({ length: SELECTIONS }, (_part, line): Part => {
        const serial = index * SELECTIONS + line + 1;
        return [stock, serial, serial];
      }),
    ),
  );
  const smallTransfer = createTrade(small.seller, small.buyer, [[await issueBeside(small, stock), 1, 1]]);
  const commits = await settleTogether([...floods, smallTransfer]);
  const sizes = commits.map(({ selections }) => selections);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_SELECTIONS_PER_COMMIT);
  const commitIndex = commits.findIndex(({ taskIds }) => taskIds.includes(smallTransfer.taskId));
  expect(commitIndex).toBe(0);
  expect(commits[0]?.taskIds).toHaveLength(2);
});

test('a small transfer is settled in the first commit of a channel with much metadata', async () => {
  const [noted, small] = [inventory.scene(), inventory.scene()];
  const stock = await noted.issue('1', String(METADATA_TRANSFERS));
  const metadata = { note: 'x'.repeat(METADATA_KIB * 1_024) };
  const floods = Array.from({ length: METADATA_TRANSFERS }, (_, index) => ({
    ...createTrade(noted.seller, noted.buyer, [[stock, index + 1, index + 1]]),
    metadata,
  }));
  const smallTransfer = createTrade(small.seller, small.buyer, [[await issueBeside(small, stock), 1, 1]]);
  const commits = await settleTogether([...floods, smallTransfer]);
  for (const { taskIds } of commits) expect(taskIds.length * METADATA_KIB).toBeLessThanOrEqual(MAX_KIB_PER_COMMIT);
  expect(commits.findIndex(({ taskIds }) => taskIds.includes(smallTransfer.taskId))).toBe(0);
});
