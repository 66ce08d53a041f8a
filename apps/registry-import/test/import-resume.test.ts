import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { sql } from '@saleschannel/database';
import type { GrpcServer } from '@saleschannel/grpc';
import { eventually, startNeighbours, startProxy, withOwn } from '@saleschannel/testing';
import { startTcpProxy, Fixture } from './support/fixture.ts';
import { FakeTraders } from './support/ledger.ts';
import {
  NDJSON,
  ndjson,
  partsOf,
  facilityLine,
  holderLine,
  issuanceIdOf,
  issuanceLine,
  type Part,
} from './support/records.ts';
import { channelsRegistration, counts, type Registry } from './support/registry-import.ts';

/** Replicas take seconds to start, longer on a busy machine. */
jest.setTimeout(120_000);

/** The file has four batches of lines. */
const GROUPS = 2_400;
/** Each group is an issuance followed by the records that it refers to. The last line is in error. */
const groups = Array.from({ length: GROUPS }, (_, index) => [
  issuanceLine(index, `FAC${index}`, `HOLDER-${index}`),
  facilityLine(`FAC${index}`),
  holderLine(`HOLDER-${index}`),
]);
const file = ndjson(...groups.flat(), issuanceLine(GROUPS, 'FAC0', 'nobody'));
const completed = { status: 'COMPLETED', read: 3 * GROUPS + 1, applied: 3 * GROUPS, failed: 1 };

let traders: GrpcServer;
beforeAll(async () => {
  traders = await startNeighbours(new FakeTraders().registration(), channelsRegistration(new Set()));
});
afterAll(() => traders.stop());

// Without a describe block, because only tests of one block run concurrently.
const CONTINUES = 'an import continues exactly where it stopped';

/** Gives each test its own fixture. Tests mostly wait, so they run concurrently. */
const isolate = <Args extends unknown[]>(work: (fixture: Fixture, ...args: Args) => Promise<void>) =>
  withOwn(() => Fixture.start(traders), work);

const startImport = async (registry: Registry, content = file): Promise<string> =>
  (await registry.startImport(partsOf(content, NDJSON))).importId;

async function expectExactlyOnce(fixture: Fixture, registry: Registry, importId: string): Promise<void> {
  const { ledger } = fixture;
  expect(counts(await registry.finished(importId))).toEqual(completed);
  expect(await registry.errorsOf(importId)).toMatchObject([{ line: 3 * GROUPS + 1, code: 'unknown-account-holder' }]);
  expect([ledger.facilities.size, ledger.issuances.size, ledger.effects]).toEqual([GROUPS, GROUPS, 2 * GROUPS]);
  expect((await registry.list({ limit: 1 })).total).toBe(String(GROUPS));
  const left = await fixture.select(
    sql`select position from import_chunk where import_id = ${importId}
        union all select line from import_waiting_line where import_id = ${importId}`,
  );
  expect(left).toEqual([]);
}

test.concurrent.each([3, 8])(
  `${CONTINUES} after kill -9 behind call %i of the ledger`,
  isolate(async (fixture, call: number) => {
    const { ledger } = fixture;
    const isUnderWay = fixture.hangAfterBatch(call);
    const first = await fixture.startProcess();
    const importId = await startImport(first.registry);
    await isUnderWay;
    await first.kill();
    await fixture.endLeases();
    ledger.afterApply = async () => undefined;
    await expectExactlyOnce(fixture, (await fixture.startProcess()).registry, importId);
  }),
);

test.concurrent(
  `${CONTINUES} after kill -9 in the pass over waiting lines`,
  isolate(async (fixture) => {
    const { ledger } = fixture;
    const isUnderWay = Promise.withResolvers<void>();
    ledger.afterApply = async (keys) => {
      if (ledger.facilities.size < GROUPS || !keys.includes(issuanceIdOf(2))) return;
      isUnderWay.resolve();
      await fixture.hang();
    };
    const first = await fixture.startProcess();
    // Issuances come first, and so wait until the end of the file.
    const lines = file.split('\n');
    const sorted = lines.toSorted((a, b) => Number(b.includes('"issuance"')) - Number(a.includes('"issuance"')));
    const importId = await startImport(first.registry, sorted.join('\n'));
    await isUnderWay.promise;
    await first.kill();
    await fixture.endLeases();
    ledger.afterApply = async () => undefined;
    const { registry } = await fixture.startProcess();
    expect(counts(await registry.finished(importId))).toEqual(completed);
    expect(ledger.effects).toBe(2 * GROUPS);
  }),
);

test.concurrent(
  `${CONTINUES} after an orderly stop, which waits for no answer, on another replica at once`,
  isolate(async (fixture) => {
    const { ledger } = fixture;
    const isUnderWay = fixture.hangAfterBatch(4);
    const first = await fixture.startInside();
    const importId = await startImport(first.registry);
    await isUnderWay;
    await first.stop();
    ledger.afterApply = async () => undefined;
    await expectExactlyOnce(fixture, (await fixture.startInside()).registry, importId);
  }),
);

test.concurrent(
  `${CONTINUES} when a silent replica returns, without recording its results twice`,
  isolate(async (fixture) => {
    const { ledger } = fixture;
    const isUnderWay = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    ledger.beforeApply = () => {
      isUnderWay.resolve();
      return goOn.promise;
    };
    const { registry } = await fixture.startInside();
    const importId = await startImport(registry);
    await isUnderWay.promise;
    await fixture.select(sql`update import set lease_owner = 'another replica'`);
    await fixture.endLeases();
    goOn.resolve();
    await expectExactlyOnce(fixture, registry, importId);
  }),
);

test.concurrent(
  `${CONTINUES} when a silent replica sends again, and the ledger refuses the older lease`,
  isolate(async (fixture) => {
    const { ledger } = fixture;
    const code = 'FENCED';
    const named = (name: string): string => JSON.stringify({ ...facilityLine(code), name });
    const isUnderWay = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    fixture.atEnd(goOn.resolve);
    let isFirst = true;
    ledger.beforeApply = () => {
      if (!isFirst) return Promise.resolve();
      isFirst = false;
      isUnderWay.resolve();
      return goOn.promise;
    };
    const silent = await fixture.startInside();
    const older = await startImport(silent.registry, named('Older'));
    await isUnderWay.promise;
    // The silent replica does not know, and is about to send.
    await fixture.endLeases();
    const { registry } = await fixture.startInside();
    expect(await registry.finished(older)).toMatchObject({ status: 'COMPLETED' });
    const newer = await startImport(registry, named('Newer'));
    expect(await registry.finished(newer)).toMatchObject({ status: 'COMPLETED' });
    const isAnswered = Promise.withResolvers<void>();
    ledger.afterCall = () => isAnswered.resolve();
    goOn.resolve();
    await isAnswered.promise;
    expect(ledger.facilities.get(code)?.facility.name).toBe('Newer');
    await silent.stop();
  }),
);

test.concurrent(
  `${CONTINUES} under a renewed lease while the ledger is slow`,
  isolate(async (fixture) => {
    const { ledger } = fixture;
    // Long enough for an upload on a slow machine, and renewed after a third of it.
    fixture.variables = { ...fixture.variables, IMPORT_LEASE_MS: '24000' };
    const goOn = Promise.withResolvers<void>();
    ledger.beforeApply = () => goOn.promise;
    fixture.atEnd(goOn.resolve);
    const { registry } = await fixture.startInside();
    const importId = await startImport(registry);
    const leaseEnd = async (): Promise<number | undefined> => {
      const [run] = await fixture.select<{ leaseEnd: string }>(
        sql`select extract(epoch from lease_until)::text as "leaseEnd" from import where status = 'RUNNING'`,
      );
      return run && Number(run.leaseEnd);
    };
    const first = await eventually(leaseEnd, 'a running import');
    await eventually(async () => Number(await leaseEnd()) > first, 'a renewed lease');
    goOn.resolve();
    await expectExactlyOnce(fixture, registry, importId);
  }),
);

test.concurrent(
  `${CONTINUES} on two replicas, which do no work twice`,
  isolate(async (fixture) => {
    const [first, second] = [await fixture.startInside(), await fixture.startInside()];
    const started = await Promise.all([first, second].map(({ registry }) => startImport(registry)));
    for (const importId of started) await expectExactlyOnce(fixture, first.registry, importId);
  }),
);

test.concurrent(
  'while inventory is unreachable no replica holds an import, and no line fails',
  isolate(async (fixture) => {
    const proxy = await startTcpProxy(fixture.inventory.address);
    fixture.atEnd(proxy.stop);
    fixture.variables = { ...fixture.variables, INVENTORY_ADDRESS: proxy.address };
    const { registry } = await fixture.startInside();
    const call = fixture.holdFirstCall();
    const importId = await startImport(registry);
    await call.reached;
    proxy.setOpen(false);
    call.release();
    await eventually(async () => !(await fixture.isHeld()), 'a released import');
    const running = { status: 'RUNNING', read: 0, applied: 0, failed: 0 };
    expect(counts(await registry.getImport(importId))).toEqual(running);
    proxy.setOpen(true);
    await expectExactlyOnce(fixture, registry, importId);
  }),
);

test.concurrent.each(['INVENTORY_ADDRESS', 'TRADERS_ADDRESS', 'RBAC_ADDRESS'])(
  'a replica without an answer at its %s releases its import, and claims none until it gets one',
  isolate(async (fixture, name: string) => {
    const { ledger } = fixture;
    const whole = fixture.variables;
    const proxy = await startProxy(`tcp://${whole[name]}`);
    fixture.atEnd(proxy.stop);
    fixture.variables = { ...whole, [name]: new URL(proxy.url).host };
    const { registry } = await fixture.startInside();
    const call = fixture.holdFirstCall();
    const importId = await startImport(registry, ndjson(facilityLine('FAC0')));
    await call.reached;
    proxy.blackhole();
    // The lease lasts longer than the test.
    await eventually(async () => !(await fixture.isHeld()), 'a released import');
    ledger.beforeApply = async () => undefined;
    fixture.variables = whole;
    const { registry: other } = await fixture.startInside();
    const applied = { status: 'COMPLETED', read: 1, applied: 1, failed: 0 };
    expect(counts(await other.finished(importId))).toEqual(applied);
    call.release();
    proxy.restore();
    expect(ledger.effects).toBe(1);
  }),
);

test.concurrent(
  'an upload of a killed replica is failed by another',
  isolate(async (fixture) => {
    const first = await fixture.startProcess();
    async function* endless(): AsyncGenerator<Part> {
      yield* partsOf(Buffer.alloc(600_000, 'x'), NDJSON);
      await eventually(async () => (await fixture.listChunks()).length > 0);
      await first.kill();
    }
    await first.registry.startImport(endless()).catch(() => undefined);
    await fixture.endLeases();
    const { registry } = await fixture.startProcess();
    const failed = await eventually(async () => {
      const { imports } = await registry.listImports({ limit: 1 });
      return imports[0]?.status === 'FAILED' && imports[0];
    });
    expect(await registry.errorsOf(failed.importId)).toMatchObject([{ line: 1, code: 'upload-incomplete' }]);
    expect(await fixture.listChunks()).toEqual([]);
  }),
);
