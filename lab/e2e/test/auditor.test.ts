import { expect, test } from '@jest/globals';
import { audit, type ChainHeads } from '@saleschannel/auditor';
import { damages, isInShortRun } from './support/damages.ts';
import { listFindings, testDamages, useDamagedDatabases } from './support/damaged-databases.ts';

/** Each invariant is violated by SQL, with triggers disabled, in a copy of the services' databases. */

const ruins = useDamagedDatabases();

test('intact data has no findings, and every check has read rows', async () => {
  const results = await audit(ruins.urls(), { quietSeconds: 0 });
  expect(results.filter(({ count }) => count > 0)).toEqual([]);
  const idle = results.filter(({ rows }) => rows === 0).map(({ name }) => name);
  expect(idle.filter((name) => !/outbox$|refer|audit-trail$|guards$|trader-keys|archived-keys/.test(name))).toEqual([]);
});

// damages.more.test.ts has the others.
testDamages(ruins, damages.filter(isInShortRun));

test('tasks of dropped archive months are not reported', async () => {
  const letGo = "delete from ledger_place; delete from task where status <> 'PENDING'";
  expect(await ruins.auditAfter('tasks', letGo)).toMatchObject([
    { name: 'task-references' },
    { name: 'tasks-transactions' },
  ]);
  const dropped = "insert into dropped_archive (month) values ('2090-01-01')";
  expect(await ruins.auditAfter('tasks', `${letGo}; ${dropped}`)).toEqual([]);
});

test('a truncated audit trail is found if its heads were anchored', async () => {
  let heads: ChainHeads = {};
  const anchored = () => ({ anchors: { known: heads, onHeads: (present: ChainHeads) => void (heads = present) } });
  expect(await listFindings(ruins.urls(), anchored())).toEqual([]);
  expect(Object.keys(heads)).toEqual(expect.arrayContaining(['inventory/registry', 'rbac/installation']));
  expect(await listFindings(ruins.urls(), anchored())).toEqual([]);
  // No other record refers to this event.
  const cutOff = `
    delete from audit_event using audit_head where audit_head.scope = 'registry'
      and (audit_event.scope, audit_event.sequence) = (audit_head.scope, audit_head.sequence);
    update audit_head set sequence = event.sequence, hash = event.hash from (
      select sequence, hash from audit_event where scope = 'registry' order by sequence desc limit 1
    ) as event where scope = 'registry'`;
  expect(await ruins.auditAfter('traders', cutOff)).toEqual([]);
  expect(await ruins.auditAfter('traders', cutOff, anchored())).toMatchObject([{ name: 'anchors', count: 1 }]);
});
