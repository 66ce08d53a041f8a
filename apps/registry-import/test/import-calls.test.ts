import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createConnection } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { eventually } from '@saleschannel/testing';
import { ndjson, NDJSON, partsOf, facilityLine, holderLine, issuanceIdOf, issuanceLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

const CODE = 'CALLS1';
const HOLDER = 'CALLS-1';
const ISSUANCES_PER_CALL = 500;

let registry: RegistryImport;
/** Keys of the calls, in order of arrival. */
let calls: string[][];
let underWay: number;
let mostUnderWay: number;

beforeAll(async () => {
  registry = await startRegistryImport();
  await registry.importFile(ndjson(holderLine(HOLDER), facilityLine(CODE)));
});
beforeEach(() => {
  calls = [];
  underWay = 0;
  mostUnderWay = 0;
  registry.ledger.beforeApply = async (keys) => {
    calls.push(keys);
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
  };
  registry.ledger.afterCall = () => {
    underWay -= 1;
  };
});
afterEach(() => {
  registry.ledger.beforeApply = async () => undefined;
  registry.ledger.afterCall = () => undefined;
});
afterAll(() => registry.stop());

const issuances = (first: number, count: number, changes: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...issuanceLine(first + index, CODE, HOLDER), ...changes }));

/** Lines without calls, to fill the first, small batches of a file. The next batch has 2,000 lines. */
const before = Array.from({ length: 50 + 100 + 200 + 400 + 800 + 1_600 }, () => holderLine(HOLDER));

/** Blocks calls until `open`, and reports their number. */
function holdCalls(): { untilHeld(count: number): Promise<unknown>; open(): void } {
  const gate = Promise.withResolvers<void>();
  const note = registry.ledger.beforeApply;
  registry.ledger.beforeApply = async (keys) => {
    await note(keys);
    await gate.promise;
  };
  return {
    untilHeld: (count) => eventually(async () => calls.length >= count, `${count} calls under way`),
    open: gate.resolve,
  };
}

test('at most two calls run concurrently, each with its share of the batch', async () => {
  const held = holdCalls();
  const importing = registry.importFile(ndjson(...before, ...issuances(0, 4 * ISSUANCES_PER_CALL)));
  await held.untilHeld(2);
  held.open();
  expect(counts(await importing)).toEqual({ status: 'COMPLETED', read: 5_150, applied: 5_150, failed: 0 });
  expect(mostUnderWay).toBe(2);
  expect(calls.map((keys) => keys.length)).toEqual(Array.from({ length: 4 }, () => ISSUANCES_PER_CALL));
  expect(new Set(calls.flat()).size).toBe(2_000);
});

test('of lines with the same id the first counts, even if its call is slower', async () => {
  const first = issuances(10_000, 1);
  const others = issuances(10_001, ISSUANCES_PER_CALL);
  const again = issuances(10_000, 1, { lastSerial: '999' });
  const held = holdCalls();
  const importing = registry.importFile(ndjson(...before, ...first, ...others, ...again));
  await held.untilHeld(2);
  held.open();
  const ended = await importing;
  expect(counts(ended)).toEqual({ status: 'COMPLETED', read: 3_652, applied: 3_651, failed: 1 });
  expect(await registry.errorsOf(ended.importId)).toMatchObject([{ line: 3_652, code: 'contradiction' }]);
  expect(registry.ledger.issuances.get(issuanceIdOf(10_000))?.lastSerial).toBe('500');
  // The second was sent after all earlier ones.
  expect(calls.at(-1)).toEqual([issuanceIdOf(10_000)]);
});

test('facility calls are sequential: of lines with the same code the last counts', async () => {
  const named = (name: string) => ({ ...facilityLine('CALLS2'), name });
  const others = Array.from({ length: 450 }, (_, index) => facilityLine(`C${String(index).padStart(5, '0')}`));
  const ended = await registry.importFile(ndjson(named('First'), ...others, named('Last')));
  expect(counts(ended)).toEqual({ status: 'COMPLETED', read: 452, applied: 452, failed: 0 });
  expect(mostUnderWay).toBe(1);
  expect(registry.ledger.facilities.get('CALLS2')?.facility.name).toBe('Last');
});

test('a batch with a lost call is sent again, without a second effect', async () => {
  const effects = registry.ledger.effects;
  const both = Promise.withResolvers<void>();
  const note = registry.ledger.beforeApply;
  let isLost = false;
  registry.ledger.beforeApply = async (keys) => {
    await note(keys);
    if (calls.length >= 2) both.resolve();
    await both.promise;
    if (!isLost && keys.includes(issuanceIdOf(20_000))) {
      isLost = true;
      throw new DomainError('unavailable', 'Not now.', { retryAfterSeconds: 1 });
    }
  };
  const ended = await registry.importFile(ndjson(...before, ...issuances(20_000, 3 * ISSUANCES_PER_CALL)));
  expect(counts(ended)).toEqual({ status: 'COMPLETED', read: 4_650, applied: 4_650, failed: 0 });
  expect(isLost).toBe(true);
  expect(registry.ledger.effects - effects).toBe(3 * ISSUANCES_PER_CALL);
});

/** More than the unforeseen faults that end an import. */
const FAULTS = 6;

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

/** Concurrent and ordered calls to the ledger for the lines of a batch. */
