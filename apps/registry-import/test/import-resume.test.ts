import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ImportPart } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import { openDatabase, query, type Database } from '@saleschannel/database';
import { silentLogger } from '@saleschannel/runtime';
import { asRegistry, createTestDatabase, eventually, startTestService, type TestDatabase } from '@saleschannel/testing';
import { service } from '../src/app.ts';
import {
  counts,
  errorsOf,
  facilityFields,
  finished,
  holderFields,
  issuanceFields,
  NDJSON,
  ndjson,
  partsOf,
  registryImportAs,
  type RegistryImportClient,
} from './fixture.ts';
import { FakeLedger, FakeTraders } from './outside-world.ts';
import { migrate, startReplica, type Replica } from './replica.ts';

const GROUPS = 400;
/** Of each group an issuance, and after it the records that it refers to; and a last line that is in error. */
const file = ndjson(
  ...Array.from({ length: GROUPS }, (_, index) => [
    { type: 'issuance', ...issuanceFields(index, `FAC${index}`), accountHolderBusinessId: `HOLDER-${index}` },
    { type: 'production-facility', ...facilityFields(`FAC${index}`) },
    { type: 'account-holder', ...holderFields(`HOLDER-${index}`) },
  ]).flat(),
  { type: 'issuance', ...issuanceFields(GROUPS, 'FAC0'), accountHolderBusinessId: 'nobody' },
);

let ledger: FakeLedger;
let traders: FakeTraders;
let database: TestDatabase;
let inspector: Database;
let variables: Record<string, string>;
const ends: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  traders = new FakeTraders();
  await traders.start();
});
afterAll(() => traders.stop());
beforeEach(async () => {
  ledger = new FakeLedger();
  await ledger.start();
  database = await createTestDatabase();
  inspector = await openDatabase({ url: database.url, poolMax: 2, entities: [], migrations: [], logger: silentLogger });
  variables = {
    DATABASE_URL: database.url,
    INVENTORY_ADDRESS: ledger.address,
    TRADERS_ADDRESS: traders.address,
    IMPORT_LEASE_MS: '600',
    IMPORT_POLL_MS: '50',
  };
  await migrate(variables);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await ledger.stop();
  await inspector.close();
  await database.drop();
});

async function replica(): Promise<Replica & { client: RegistryImportClient }> {
  const started = await startReplica(variables);
  ends.push(started.kill);
  const client = await registryImportAs('gateway', started.address);
  ends.push(client.close);
  return { ...started, client };
}

async function inProcess(): Promise<{ client: RegistryImportClient; stop(): Promise<void> }> {
  const running = await startTestService(service, { variables, databaseUrl: database.url });
  const client = await registryImportAs('gateway', running.address);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= running.stop());
  ends.push(stop, client.close);
  return { client, stop };
}

/** Never comes within a test; calls that hang in it end with the test, so that the ledger can stop. */
function never(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  ends.push(resolve);
  return promise;
}

/** Lets the n-th batch be applied and its answer never come; resolves when that batch is under way. */
function hangAfterBatch(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = count;
  ledger.afterApply = async () => {
    left -= 1;
    if (left > 0) return;
    resolve();
    await never();
  };
  return promise;
}

async function expectExactlyOnce(client: RegistryImportClient, importId: string): Promise<void> {
  const done = await finished(client, importId);
  expect(counts(done)).toEqual({ status: 'COMPLETED', read: 3 * GROUPS + 1, applied: 3 * GROUPS, failed: 1 });
  expect(await errorsOf(client, importId)).toMatchObject([{ line: 3 * GROUPS + 1, code: 'unknown-account-holder' }]);
  expect([ledger.facilities.size, ledger.issuances.size, ledger.effects]).toEqual([GROUPS, GROUPS, 2 * GROUPS]);
  expect((await client.ListAccountHolders({ limit: 1 }, await asRegistry())).total).toBe(String(GROUPS));
  const left = await query(
    inspector.em(),
    'select position from import_chunk where import_id = ? union all select line from import_waiting_line where import_id = ?',
    [importId, importId],
  );
  expect(left).toEqual([]);
}

describe('an import goes on exactly where it was', () => {
  test.each([3, 8])('after kill -9 behind call %i of the ledger', async (call) => {
    const isUnderWay = hangAfterBatch(call);
    const first = await replica();
    const { importId } = await first.client.StartImport(partsOf(file, NDJSON), await asRegistry());
    await isUnderWay;
    await first.kill();
    ledger.afterApply = async () => undefined;
    await expectExactlyOnce((await replica()).client, importId);
  });

  test('after kill -9 in the pass over the lines that waited', async () => {
    const isUnderWay = Promise.withResolvers<void>();
    ledger.afterApply = async (keys) => {
      if (ledger.facilities.size < GROUPS || !keys.includes(issuanceFields(2, '').issuanceId)) return;
      isUnderWay.resolve();
      await never();
    };
    const first = await replica();
    // All issuances first: they wait until the end of the file.
    const lines = file.split('\n');
    const sorted = lines.toSorted((a, b) => Number(b.includes('"issuance"')) - Number(a.includes('"issuance"')));
    const { importId } = await first.client.StartImport(partsOf(sorted.join('\n'), NDJSON), await asRegistry());
    await isUnderWay.promise;
    await first.kill();
    ledger.afterApply = async () => undefined;
    const { client } = await replica();
    expect(counts(await finished(client, importId))).toEqual({
      status: 'COMPLETED',
      read: 3 * GROUPS + 1,
      applied: 3 * GROUPS,
      failed: 1,
    });
    expect(ledger.effects).toBe(2 * GROUPS);
  });

  test('when the service stops in order: it waits for no answer, and another replica goes on at once', async () => {
    variables = { ...variables, IMPORT_LEASE_MS: '600000' };
    const isUnderWay = hangAfterBatch(4);
    const first = await inProcess();
    const { importId } = await first.client.StartImport(partsOf(file, NDJSON), await asRegistry());
    await isUnderWay;
    await first.stop();
    ledger.afterApply = async () => undefined;
    await expectExactlyOnce((await inProcess()).client, importId);
  });

  test('when a replica that had gone silent comes back, what it did is not recorded twice', async () => {
    const isUnderWay = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    ledger.beforeApply = () => {
      isUnderWay.resolve();
      return goOn.promise;
    };
    const { client } = await inProcess();
    const { importId } = await client.StartImport(partsOf(file, NDJSON), await asRegistry());
    await isUnderWay.promise;
    await query(
      inspector.em(),
      `update import set lease_owner = 'somebody else', lease_until = clock_timestamp() + interval '300 milliseconds'`,
    );
    goOn.resolve();
    await expectExactlyOnce(client, importId);
  });

  test('two replicas share the work without doing any of it twice', async () => {
    const [first, second] = [await inProcess(), await inProcess()];
    const started = await Promise.all(
      [first, second].map(async ({ client }) => client.StartImport(partsOf(file, NDJSON), await asRegistry())),
    );
    for (const { importId } of started) await expectExactlyOnce(first.client, importId);
  });
});

test('while the inventory is unreachable an import waits, and fails no line', async () => {
  const port = Number(ledger.address.split(':')[1]);
  await ledger.stop();
  const { client } = await inProcess();
  const { importId } = await client.StartImport(partsOf(file, NDJSON), await asRegistry());
  await eventually(async () => (await client.GetImport({ importId }, await asRegistry())).status === 'RUNNING');
  expect(counts(await client.GetImport({ importId }, await asRegistry()))).toEqual({
    status: 'RUNNING',
    read: 0,
    applied: 0,
    failed: 0,
  });
  await ledger.start(port);
  await expectExactlyOnce(client, importId);
});

test('an upload whose replica was killed is given up by another', async () => {
  const first = await replica();
  const isStored = () =>
    eventually(async () => (await query(inspector.em(), 'select position from import_chunk')).length > 0 && true);
  async function* endless(): AsyncGenerator<ImportPart> {
    yield* partsOf(Buffer.alloc(600_000, 'x'), NDJSON);
    await isStored();
    await first.kill();
  }
  await first.client.StartImport(endless(), await asRegistry()).catch(() => undefined);
  const { client } = await replica();
  const failed = await eventually(async () => {
    const { imports } = await client.ListImports({ limit: 1 }, await asRegistry());
    return imports[0]?.status === 'FAILED' && imports[0];
  });
  expect(await errorsOf(client, failed.importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
  expect(await query(inspector.em(), 'select position from import_chunk')).toEqual([]);
});
