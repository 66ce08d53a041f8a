import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { audit, type AuditOptions, type ChainHeads, type DatabaseName, type Result } from '@saleschannel/auditor';
import { execute, testServerUrl } from '@saleschannel/testing';
import { startSystem, type System } from '../src/system.ts';
import { damages } from './support/damages.ts';
import { makeHistory } from './support/history.ts';

/** Each invariant is damaged by hand, behind the back of all triggers, in a copy of what services have made. */

const START_LIMIT_MS = 180_000;
let system: System;
const superuser = (url: string): string => {
  const changed = new URL(testServerUrl());
  changed.pathname = new URL(url).pathname;
  return changed.href;
};

beforeAll(async () => {
  system = await startSystem({ keepDatabases: true });
  await makeHistory(system).finally(() => system.stop());
}, START_LIMIT_MS);
afterAll(async () => {
  for (const url of Object.values(system.auditUrls))
    await execute(testServerUrl(), `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
});

const foundBy = async (urls: System['auditUrls'], options: AuditOptions = {}): Promise<Result[]> =>
  (await audit(urls, { quietSeconds: 0, findingsAtMost: 5, ...options })).filter(({ count }) => count > 0);

/** A copy of one database, as the audit finds it after a statement on it. */
async function auditAfter(database: DatabaseName, statements: string, options?: AuditOptions): Promise<Result[]> {
  const url = system.auditUrls[database];
  const copy = `damaged_${randomBytes(6).toString('hex')}`;
  await execute(
    testServerUrl(),
    `create database ${copy} template ${new URL(url).pathname.slice(1)} strategy file_copy`,
  );
  try {
    const changed = new URL(url);
    changed.pathname = `/${copy}`;
    await execute(superuser(changed.href), 'set session_replication_role = replica', statements);
    return await foundBy({ ...system.auditUrls, [database]: changed.href }, options);
  } finally {
    await execute(testServerUrl(), `drop database ${copy} with (force)`);
  }
}

test('what services have made adds up, and every check has looked at something', async () => {
  const results = await audit(system.auditUrls, { quietSeconds: 0 });
  expect(results.filter(({ count }) => count > 0)).toEqual([]);
  const idle = results.filter(({ rows }) => rows === 0).map(({ name }) => name);
  expect(idle.filter((name) => !/outbox$|refer|audit-trail$|guards$|trader-keys|archived-keys/.test(name))).toEqual([]);
});

test.each(damages)('$what', async ({ database, statements, finds }) => {
  const found = await auditAfter(database, statements);
  expect({ by: found.map(({ name }) => name).toSorted(), found }).toMatchObject({ by: finds.toSorted() });
});

test('tasks of months that an operator let go are not missed', async () => {
  const letGo = "delete from ledger_place; delete from task where status <> 'PENDING'";
  expect(await auditAfter('tasks', letGo)).toMatchObject([{ name: 'task-references' }, { name: 'tasks-transactions' }]);
  const dropped = "insert into dropped_archive (month) values ('2090-01-01')";
  expect(await auditAfter('tasks', `${letGo}; ${dropped}`)).toEqual([]);
});

test('an act cut off a trail together with its head is missed where heads were anchored', async () => {
  let heads: ChainHeads = {};
  const anchored = () => ({ anchors: { known: heads, onHeads: (present: ChainHeads) => void (heads = present) } });
  expect(await foundBy(system.auditUrls, anchored())).toEqual([]);
  expect(Object.keys(heads)).toEqual(expect.arrayContaining(['inventory/registry', 'rbac/installation']));
  expect(await foundBy(system.auditUrls, anchored())).toEqual([]);
  // Nothing else tells of this act.
  const cutOff = `
    delete from audit_event using audit_head where audit_head.scope = 'registry'
      and (audit_event.scope, audit_event.sequence) = (audit_head.scope, audit_head.sequence);
    update audit_head set sequence = event.sequence, hash = event.hash from (
      select sequence, hash from audit_event where scope = 'registry' order by sequence desc limit 1
    ) as event where scope = 'registry'`;
  expect(await auditAfter('traders', cutOff)).toEqual([]);
  expect(await auditAfter('traders', cutOff, anchored())).toMatchObject([{ name: 'anchors', count: 1 }]);
});
