import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { replay } from '@saleschannel/replay';
import { useOwnSystem } from './support/system.ts';

const system = useOwnSystem();
const file = fileURLToPath(new URL('../../../clients/replay/sample/sample.csv', import.meta.url));

test("a registry's file is replayed completely, and a second replay has no effect", async () => {
  const first = await replay({ file, demo: system().demo });
  expect(first).toMatchObject({
    ok: true,
    reasons: [],
    problems: [],
    rows: { bad: 0, failed: 0 },
    tasks: { replayed: 0 },
  });
  expect(first.rows.applied).toBe(first.rows.read);
  await system().waitUntilDrained();
  const counts = () =>
    system().querySql(
      'inventory',
      'select (select count(*) from ledger_transaction) as transactions, (select count(*) from bundle) as bundles',
    );
  const before = await counts();
  expect(first.ledger?.disagreements).toEqual([]);

  const second = await replay({ file, demo: system().demo });
  expect(second).toMatchObject({
    ok: true,
    certificates: first.certificates,
    tasks: { new: 0, replayed: first.tasks.new },
    ledger: first.ledger,
  });
  await system().waitUntilDrained();
  expect(await counts()).toEqual(before);
});
