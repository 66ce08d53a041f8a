import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { query, sql, type Database } from '@saleschannel/database';
import { newId } from '@saleschannel/primitives';
import { createTestDatabase, openTestDatabase, type TestDatabase } from '@saleschannel/testing';
import { claimNext, holdsLease, releaseLease, type Lease } from '../src/store/import-runs.ts';
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
  await query(database.em(), sql`delete from import`);
  importId = newId();
  await query(database.em(), sql`insert into import (id, format, status) values (${importId}, 'ndjson', 'PENDING')`);
});

async function claimedBy(owner: string): Promise<Lease | undefined> {
  const run = await database.transaction((em) => claimNext(em, owner, LEASE_MS));
  return run && { importId: run.id, owner, number: run.leaseNumber, leaseMs: LEASE_MS };
}

const endLease = () =>
  query(database.em(), sql`update import set lease_until = clock_timestamp() where id = ${importId}`);

test('no replica takes over an import while its owner writes, and the former owner writes nothing later', async () => {
  const lease = (await claimedBy('first')) as Lease;
  expect(await claimedBy('second')).toBeUndefined();
  await endLease();
  await database.transaction(async (em) => {
    expect(await holdsLease(em, lease)).toBe(true);
    // The claim does not wait, because other account holders may have imports.
    expect(await claimedBy('second')).toBeUndefined();
  });
  expect(await claimedBy('second')).toMatchObject({ importId });
  expect(await database.transaction((em) => holdsLease(em, lease))).toBe(false);
});

test('concurrent claims get the oldest import of each account holder', async () => {
  await query(
    database.em(),
    sql`insert into import (id, format, status, key_id, holder_id)
        select 'n' || n, 'ndjson', 'PENDING', 'key' || n, 'holder' || n % 5 from generate_series(1, 10) n`,
  );
  const claims = await Promise.all(Array.from({ length: 8 }, (_, replica) => claimedBy(`replica${replica}`)));
  const claimed = claims.flatMap((claim) => claim?.importId ?? []);
  expect(claimed.toSorted()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5', importId].toSorted());
});

test('a released import is free at once, or after its pause', async () => {
  const first = (await claimedBy('first')) as Lease;
  await releaseLease(database.em(), first, 0);
  const second = (await claimedBy('second')) as Lease;
  expect(second).toMatchObject({ importId });
  await releaseLease(database.em(), first, 0);
  expect(await claimedBy('third')).toBeUndefined();
  await releaseLease(database.em(), second, LEASE_MS);
  expect(await claimedBy('third')).toBeUndefined();
});
