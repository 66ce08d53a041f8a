import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { asRegistry, removeMarkers } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf } from './support/files.ts';
import { facilityLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** Lines of more than three turns. */
const LARGE = 16_000;

let registry: RegistryImport;
let client: ServiceClient<'registryImport'>;
let applied: string[];
beforeAll(async () => {
  registry = await startRegistryImport();
  client = await registry.clientOf('gateway');
});
beforeEach(() => {
  applied = [];
  registry.ledger.beforeApply = async (keys) => void applied.push(...keys);
});
afterAll(() => registry.stop());

const facilities = (prefix: string, count: number): string =>
  ndjson(...Array.from({ length: count }, (_, index) => facilityLine(`${prefix}${index}`)));

async function startedBy(holder: string, file: string): Promise<string> {
  return removeMarkers(await client.StartImport(partsOf(file, NDJSON), await asRegistry(holder))).importId;
}

/** Blocks the first call with a facility whose code has this prefix. */
function held(prefix: string): { readonly reached: Promise<void>; release(): void } {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  registry.ledger.beforeApply = async (keys) => {
    applied.push(...keys);
    if (!keys.some((key) => key.startsWith(prefix))) return;
    reach();
    await released;
  };
  return { reached, release };
}

const firstOf = (prefix: string): number => applied.findIndex((key) => key.startsWith(prefix));
const lastOf = (prefix: string): number => applied.findLastIndex((key) => key.startsWith(prefix));

test('imports of one account holder run in order, and delay no other', async () => {
  const beginning = held('FIRST');
  const first = await startedBy('h1', facilities('FIRST', 3));
  await beginning.reached;
  const next = await startedBy('h1', facilities('NEXT', 3));
  const other = await startedBy('h2', facilities('OTHER', 3));
  expect((await registry.finished(other)).status).toBe('COMPLETED');
  expect(firstOf('NEXT')).toBe(-1);
  beginning.release();
  for (const id of [first, next]) expect((await registry.finished(id)).status).toBe('COMPLETED');
  expect(firstOf('NEXT')).toBeGreaterThan(lastOf('FIRST'));
});

test('account holders take turns when there are more of them than places', async () => {
  const prefixes = ['HELD0-', 'HELD1-', 'LARGE'];
  const stalled = held('HELD');
  const large: string[] = [];
  for (const [index, prefix] of prefixes.entries())
    large.push(await startedBy(`large${index}`, facilities(prefix, prefix === 'LARGE' ? LARGE : 1)));
  await stalled.reached;
  const small = await startedBy('small', facilities('SMALL', 3));
  expect((await registry.finished(small)).status).toBe('COMPLETED');
  stalled.release();
  for (const id of large) expect((await registry.finished(id)).status).toBe('COMPLETED');
  expect(firstOf('SMALL')).toBeLessThan(lastOf('LARGE'));
  expect(counts(await registry.getImport(String(large.at(-1))))).toEqual({
    status: 'COMPLETED',
    read: LARGE,
    applied: LARGE,
    failed: 0,
  });
});

test('a small file shows progress', async () => {
  const first = held('STEP0');
  const file = facilities('STEP', 265);
  const id = await startedBy('h5', file);
  await first.reached;
  const second = held('STEP50');
  first.release();
  await second.reached;
  expect(counts(await registry.getImport(id))).toEqual({ status: 'RUNNING', read: 50, applied: 50, failed: 0 });
  second.release();
  await registry.finished(id);
});
