import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { query, sql, type Database } from '@saleschannel/database';
import type { GrpcServer } from '@saleschannel/grpc';
import {
  createServiceDatabase,
  eventually,
  openTestDatabase,
  runtimeUrlOf,
  startNeighbours,
  startProxy,
  startTestService,
  type TestDatabase,
} from '@saleschannel/testing';
import { service } from '../src/app.ts';
import { NDJSON, ndjson, partsOf, type Part } from './support/files.ts';
import { startGate } from './support/gate.ts';
import { FakeLedger } from './support/ledger.ts';
import { facilityLine, holderLine, issuanceIdOf, issuanceLine } from './support/records.ts';
import { channelsRegistration, connectTo, counts, type Registry } from './support/registry-import.ts';
import { startReplica, type Replica } from './support/replica.ts';
import { FakeTraders } from './support/traders.ts';

/** Starting replicas takes seconds, on a busy machine many. */
jest.setTimeout(120_000);

/** The file has four batches of lines. */
const GROUPS = 2_400;
/** Of each group an issuance, and after it the records that it refers to. The last line is in error. */
const groups = Array.from({ length: GROUPS }, (_, index) => [
  issuanceLine(index, `FAC${index}`, `HOLDER-${index}`),
  facilityLine(`FAC${index}`),
  holderLine(`HOLDER-${index}`),
]);
const file = ndjson(...groups.flat(), issuanceLine(GROUPS, 'FAC0', 'nobody'));
const completed = { status: 'COMPLETED', read: 3 * GROUPS + 1, applied: 3 * GROUPS, failed: 1 };

let traders: GrpcServer;
let ledger: FakeLedger;
let inventory: GrpcServer;
let database: TestDatabase;
let inspector: Database;
let variables: Record<string, string>;
const ends: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  traders = await startNeighbours(new FakeTraders().registration(), channelsRegistration(new Set()));
});
afterAll(() => traders.stop());
beforeEach(async () => {
  ledger = new FakeLedger();
  inventory = await startNeighbours(ledger.registration());
  database = await createServiceDatabase(service);
  inspector = await openTestDatabase({ url: database.url, poolMax: 2, entities: [], migrations: [] });
  variables = {
    DATABASE_URL: runtimeUrlOf(database.url),
    INVENTORY_ADDRESS: inventory.address,
    TRADERS_ADDRESS: traders.address,
    RBAC_ADDRESS: traders.address,
    // No lease ends by itself within a test, however slow the machine is.
    IMPORT_LEASE_MS: '600000',
    IMPORT_POLL_MS: '50',
  };
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await inventory.stop();
  await inspector.stop();
  await database.drop();
});

/** A replica in a process of its own. */
async function replica(): Promise<Replica & { registry: Registry }> {
  const started = await startReplica(variables);
  ends.push(started.kill);
  const registry = await connectTo(started.address);
  ends.push(registry.close);
  return { ...started, registry };
}

/** A replica in this process. */
async function inProcess(): Promise<{ registry: Registry; stop(): Promise<void> }> {
  const running = await startTestService(service, { variables, databaseUrl: database.url });
  const registry = await connectTo(running.address);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= running.stop());
  ends.push(stop, registry.close);
  return { registry, stop };
}

const startImport = async (registry: Registry, content = file): Promise<string> =>
  (await registry.startImport(partsOf(content, NDJSON))).importId;

/** Never comes within a test. Calls that hang in it end with the test, so that the ledger can stop. */
function never(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  ends.push(resolve);
  return promise;
}

/** Lets the n-th batch be applied and its answer never come. Resolves when that batch is under way. */
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

/** The time is over for which whoever worked on an import, or took a file in, had it for themselves. */
const endLeases = () => query(inspector.em(), sql`update import set lease_until = clock_timestamp()`);

const chunks = () => query(inspector.em(), sql`select position from import_chunk`);

async function expectExactlyOnce(registry: Registry, importId: string): Promise<void> {
  expect(counts(await registry.finished(importId))).toEqual(completed);
  expect(await registry.errorsOf(importId)).toMatchObject([{ line: 3 * GROUPS + 1, code: 'unknown-account-holder' }]);
  expect([ledger.facilities.size, ledger.issuances.size, ledger.effects]).toEqual([GROUPS, GROUPS, 2 * GROUPS]);
  expect((await registry.list({ limit: 1 })).total).toBe(String(GROUPS));
  const left = await query(
    inspector.em(),
    sql`select position from import_chunk where import_id = ${importId}
        union all select line from import_waiting_line where import_id = ${importId}`,
  );
  expect(left).toEqual([]);
}

describe('an import goes on exactly where it was', () => {
  test.each([3, 8])('after kill -9 behind call %i of the ledger', async (call) => {
    const isUnderWay = hangAfterBatch(call);
    const first = await replica();
    const importId = await startImport(first.registry);
    await isUnderWay;
    await first.kill();
    await endLeases();
    ledger.afterApply = async () => undefined;
    await expectExactlyOnce((await replica()).registry, importId);
  });

  test('after kill -9 in the pass over the lines that waited', async () => {
    const isUnderWay = Promise.withResolvers<void>();
    ledger.afterApply = async (keys) => {
      if (ledger.facilities.size < GROUPS || !keys.includes(issuanceIdOf(2))) return;
      isUnderWay.resolve();
      await never();
    };
    const first = await replica();
    // All issuances first: they wait until the end of the file.
    const lines = file.split('\n');
    const sorted = lines.toSorted((a, b) => Number(b.includes('"issuance"')) - Number(a.includes('"issuance"')));
    const importId = await startImport(first.registry, sorted.join('\n'));
    await isUnderWay.promise;
    await first.kill();
    await endLeases();
    ledger.afterApply = async () => undefined;
    const { registry } = await replica();
    expect(counts(await registry.finished(importId))).toEqual(completed);
    expect(ledger.effects).toBe(2 * GROUPS);
  });

  test('when the service stops in order: it waits for no answer, and another replica goes on at once', async () => {
    const isUnderWay = hangAfterBatch(4);
    const first = await inProcess();
    const importId = await startImport(first.registry);
    await isUnderWay;
    await first.stop();
    ledger.afterApply = async () => undefined;
    await expectExactlyOnce((await inProcess()).registry, importId);
  });

  test('when a replica that had gone silent comes back, what it did is not recorded twice', async () => {
    const isUnderWay = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    ledger.beforeApply = () => {
      isUnderWay.resolve();
      return goOn.promise;
    };
    const { registry } = await inProcess();
    const importId = await startImport(registry);
    await isUnderWay.promise;
    await query(inspector.em(), sql`update import set lease_owner = 'somebody else'`);
    await endLeases();
    goOn.resolve();
    await expectExactlyOnce(registry, importId);
  });

  test('when a replica that had gone silent sends again, the ledger refuses what is older', async () => {
    const code = 'FENCED';
    const named = (name: string): string => JSON.stringify({ ...facilityLine(code), name });
    const isUnderWay = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    ends.push(goOn.resolve);
    let isFirst = true;
    ledger.beforeApply = () => {
      if (!isFirst) return Promise.resolve();
      isFirst = false;
      isUnderWay.resolve();
      return goOn.promise;
    };
    const silent = await inProcess();
    const older = await startImport(silent.registry, named('Older'));
    await isUnderWay.promise;
    // The silent replica does not learn of it: it is about to send, as far as it knows.
    await endLeases();
    const { registry } = await inProcess();
    expect(await registry.finished(older)).toMatchObject({ status: 'COMPLETED' });
    const newer = await startImport(registry, named('Newer'));
    expect(await registry.finished(newer)).toMatchObject({ status: 'COMPLETED' });
    const isAnswered = Promise.withResolvers<void>();
    ledger.afterCall = () => isAnswered.resolve();
    goOn.resolve();
    await isAnswered.promise;
    expect(ledger.facilities.get(code)?.facility.name).toBe('Newer');
    await silent.stop();
  });

  test('while the ledger takes its time, the lease is renewed', async () => {
    // Long enough for an upload on a machine that stands still for a while, and renewed after a third of it.
    variables = { ...variables, IMPORT_LEASE_MS: '24000' };
    const goOn = Promise.withResolvers<void>();
    ledger.beforeApply = () => goOn.promise;
    ends.push(goOn.resolve);
    const { registry } = await inProcess();
    const importId = await startImport(registry);
    const leaseEnd = async (): Promise<number | undefined> => {
      const [run] = await query<{ leaseEnd: string }>(
        inspector.em(),
        sql`select extract(epoch from lease_until)::text as "leaseEnd" from import where status = 'RUNNING'`,
      );
      return run && Number(run.leaseEnd);
    };
    const first = await eventually(leaseEnd, 'an import that runs');
    await eventually(async () => Number(await leaseEnd()) > first, 'a lease that is renewed');
    goOn.resolve();
    await expectExactlyOnce(registry, importId);
  });

  test('two replicas share the work without doing any of it twice', async () => {
    const [first, second] = [await inProcess(), await inProcess()];
    const started = await Promise.all([first, second].map(({ registry }) => startImport(registry)));
    for (const importId of started) await expectExactlyOnce(first.registry, importId);
  });
});

const isHeld = async (): Promise<boolean> =>
  (await query(inspector.em(), sql`select id from import where lease_until > clock_timestamp()`)).length > 0;

/** Holds the first call of an import at the ledger. */
function holdFirstCall(): { readonly reached: Promise<void>; release(): void } {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  ends.push(release);
  ledger.beforeApply = () => {
    reach();
    return released;
  };
  return { reached, release };
}

test('while the inventory is unreachable nobody holds an import, and no line fails', async () => {
  const gate = await startGate(inventory.address);
  ends.push(gate.stop);
  variables = { ...variables, INVENTORY_ADDRESS: gate.address };
  const { registry } = await inProcess();
  const call = holdFirstCall();
  const importId = await startImport(registry);
  await call.reached;
  gate.setOpen(false);
  call.release();
  await eventually(async () => !(await isHeld()), 'an import that nobody holds');
  const running = { status: 'RUNNING', read: 0, applied: 0, failed: 0 };
  expect(counts(await registry.getImport(importId))).toEqual(running);
  gate.setOpen(true);
  await expectExactlyOnce(registry, importId);
});

test.each(['INVENTORY_ADDRESS', 'TRADERS_ADDRESS', 'RBAC_ADDRESS'])(
  'a replica that gets no answer at its %s leaves its import to another one, and takes none until it does',
  async (name) => {
    const whole = variables;
    const proxy = await startProxy(`tcp://${whole[name]}`);
    ends.push(proxy.stop);
    variables = { ...whole, [name]: new URL(proxy.url).host };
    const { registry } = await inProcess();
    const call = holdFirstCall();
    const importId = await startImport(registry, ndjson(facilityLine('FAC0')));
    await call.reached;
    proxy.swallow();
    // Its lease lasts longer than the test.
    await eventually(async () => !(await isHeld()), 'an import that is given back');
    ledger.beforeApply = async () => undefined;
    variables = whole;
    const { registry: other } = await inProcess();
    const applied = { status: 'COMPLETED', read: 1, applied: 1, failed: 0 };
    expect(counts(await other.finished(importId))).toEqual(applied);
    call.release();
    proxy.restore();
    expect(ledger.effects).toBe(1);
  },
);

test('an upload whose replica was killed is given up by another', async () => {
  const first = await replica();
  async function* endless(): AsyncGenerator<Part> {
    yield* partsOf(Buffer.alloc(600_000, 'x'), NDJSON);
    await eventually(async () => (await chunks()).length > 0);
    await first.kill();
  }
  await first.registry.startImport(endless()).catch(() => undefined);
  await endLeases();
  const { registry } = await replica();
  const failed = await eventually(async () => {
    const { imports } = await registry.listImports({ limit: 1 });
    return imports[0]?.status === 'FAILED' && imports[0];
  });
  expect(await registry.errorsOf(failed.importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
  expect(await chunks()).toEqual([]);
});
