import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { asRegistry, bare } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf } from './support/files.ts';
import { facilityLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** More than three turns. */
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
  return bare(await client.StartImport(partsOf(file, NDJSON), await asRegistry(holder))).importId;
}

/** Holds the first call that applies a facility whose code begins so. */
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

test("a large import does not delay another account holder's, which does not delay it for long either", async () => {
  const beginning = held('LARGE');
  const large = await startedBy('h1', facilities('LARGE', LARGE));
  await beginning.reached;
  const next = await startedBy('h1', facilities('NEXT', 3));
  const small = await startedBy('h2', facilities('SMALL', 3));
  beginning.release();
  const during = held('SMALL');
  await during.reached;
  const waiting = await registry.getImport(large);
  expect(waiting.status).toBe('RUNNING');
  expect(Number(waiting.linesApplied)).toBeLessThan(LARGE / 2);
  during.release();
  for (const id of [small, large, next]) expect((await registry.finished(id)).status).toBe('COMPLETED');
  expect(firstOf('SMALL')).toBeLessThan(lastOf('LARGE'));
  // Those of one account holder come one after another.
  expect(firstOf('NEXT')).toBeGreaterThan(lastOf('LARGE'));
  expect(counts(await registry.getImport(large))).toEqual({
    status: 'COMPLETED',
    read: LARGE,
    applied: LARGE,
    failed: 0,
  });
});

test('many small imports of one account holder do not delay the large one of another', async () => {
  const beginning = held('BIG');
  const big = await startedBy('h3', facilities('BIG', LARGE));
  await beginning.reached;
  const small: string[] = [];
  for (let index = 0; index < 5; index += 1) small.push(await startedBy('h4', facilities(`TINY${index}-`, 2)));
  beginning.release();
  for (const id of [big, ...small]) expect((await registry.finished(id)).status).toBe('COMPLETED');
  expect(firstOf('TINY1-')).toBeGreaterThan(firstOf('TINY0-'));
  const between = applied.slice(lastOf('TINY0-') + 1, firstOf('TINY1-'));
  expect(between.filter((key) => key.startsWith('BIG')).length).toBeGreaterThan(1_000);
});

test('progress is seen of a small file', async () => {
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
