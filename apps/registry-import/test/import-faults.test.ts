import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { eventually } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf } from './support/files.ts';
import { holderLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** More than the unforeseen faults that end an import. */
const FAULTS = 6;

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

test('cancelled statements delay an import without ending it', async () => {
  // A connection of the service would time out, and lose its lock, during the faults.
  const operator = createConnection(registry.service.databaseUrl, { timeouts: { idleInTransactionMs: 0 } });
  await operator.connect();
  await operator.query('begin');
  await operator.query('lock table account_holder in access exclusive mode');
  const { importId } = await registry.startImport(partsOf(ndjson(holderLine('HOLDER-1')), NDJSON));
  const cancelled = new Set<string>();
  await eventually(async () => {
    const rows = await registry.service.sql<{ started: string }>(
      `select query_start::text as started, pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    for (const { started } of rows) cancelled.add(started);
    return cancelled.size >= FAULTS;
  }, `${FAULTS} cancelled statements`);
  await operator.query('rollback');
  await operator.end();
  expect(counts(await registry.finished(importId))).toEqual({ status: 'COMPLETED', read: 1, applied: 1, failed: 0 });
});
