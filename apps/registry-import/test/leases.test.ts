import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { query, sql, type Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { createTestDatabase, eventually, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { claimNext, holdsLease, type Lease } from '../src/store/import-runs.ts';
import { schema } from '../src/store/schema.ts';

const LEASE_MS = 600_000;

let created: TestDatabase;
let database: Database;
beforeAll(async () => {
  created = await createTestDatabase();
  database = await openTestDatabase({ url: created.url, poolMax: 4, ...schema });
  await database.migrate();
});
afterAll(async () => {
  await database.stop();
  await created.drop();
});

let importId: string;
beforeEach(async () => {
  importId = newId();
  await query(database.em(), sql`insert into import (id, format, status) values (${importId}, 'ndjson', 'PENDING')`);
});

async function claimedBy(owner: string): Promise<Lease | undefined> {
  const run = await database.transaction((em) => claimNext(em, owner, LEASE_MS));
  return run && { importId: run.id, owner, number: run.leaseNumber, leaseMs: LEASE_MS };
}

const endLease = () =>
  query(database.em(), sql`update import set lease_until = clock_timestamp() where id = ${importId}`);

async function isAnyoneWaiting(): Promise<boolean> {
  const waiting = await query(
    database.em(),
    sql`select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

test('nobody takes an import over while its owner stores, and the owner stores nothing later', async () => {
  const lease = (await claimedBy('first')) as Lease;
  expect(await claimedBy('second')).toBeUndefined();
  await endLease();
  const order: string[] = [];
  let taken: Promise<void> | undefined;
  await database.transaction(async (em) => {
    expect(await holdsLease(em, lease)).toBe(true);
    taken = claimedBy('second').then(() => void order.push('taken over'));
    await eventually(async () => order.length > 0 || (await isAnyoneWaiting()), 'the second one, done or waiting');
    order.push('stored');
  });
  await taken;
  expect(order).toEqual(['stored', 'taken over']);
  expect(await database.transaction((em) => holdsLease(em, lease))).toBe(false);
  await query(database.em(), sql`update import set status = 'FAILED', completed_at = now() where id = ${importId}`);
});

test('of replicas that look for work at once one gets some', async () => {
  await query(
    database.em(),
    sql`insert into import (id, format, status, key_id, holder_id)
        select ${newId()} || n, 'ndjson', 'PENDING', 'key' || n, 'holder' || n from generate_series(1, 5) n`,
  );
  const claims = await Promise.all(Array.from({ length: 8 }, (_, replica) => claimedBy(`replica${replica}`)));
  expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
});
