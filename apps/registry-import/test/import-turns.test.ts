import { describe, afterAll, beforeAll, beforeEach, expect, test, jest } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { asRegistry, removeMarkers, eventually } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf, facilityLine } from './support/records.ts';
import { counts, startRegistryImport, type RegistryImport, type Registry } from './support/registry-import.ts';

jest.setTimeout(120_000);

/** Lines of more than three turns. */
const LARGE = 16_000;

describe('one replica', () => {
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
});

describe('two replicas with imports of several account holders', () => {
  const HOLDERS = ['ANNA', 'BERT', 'CLEO', 'DIRK', 'EMMA'];
  const FILES = 4;
  const LINES = 120;
  /** More than both replicas can run at once. */
  const STALLED = 6;
  let registry: RegistryImport;
  let client: ServiceClient<'registryImport'>;
  let replica: Registry & { stop(): Promise<void> };
  beforeAll(async () => {
    registry = await startRegistryImport({ IMPORT_LEASE_MS: '600000', IMPORT_POLL_MS: '50' });
    replica = await registry.startReplica();
    client = await registry.clientOf('gateway');
  });
  beforeEach(() => {
    registry.ledger.beforeApply = async () => undefined;
  });
  afterAll(async () => {
    replica.close();
    await replica.stop();
    await registry.stop();
  });

  /** Codes contain account holder and number of the file, such as `ANNA-2-17`. */
  async function started(holder: string, file = 0, lines = LINES): Promise<string> {
    const records = Array.from({ length: lines }, (_, index) => facilityLine(`${holder}-${file}-${index}`));
    return removeMarkers(await client.StartImport(partsOf(ndjson(...records), NDJSON), await asRegistry(holder)))
      .importId;
  }

  test('an account holder has one running import across replicas', async () => {
    const underWay = new Map<string, number>();
    const faults: string[] = [];
    const order = new Map<string, number[]>();
    registry.ledger.beforeApply = async ([key = '']) => {
      const [holder = '', file = ''] = key.split('-');
      underWay.set(holder, (underWay.get(holder) ?? 0) + 1);
      const files = order.get(holder) ?? [];
      order.set(holder, files);
      if (files.at(-1) !== Number(file)) files.push(Number(file));
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      if (underWay.get(holder) !== 1) faults.push(`${holder} has ${underWay.get(holder)} at ${key}`);
      underWay.set(holder, (underWay.get(holder) ?? 0) - 1);
    };
    const ids = new Map<string, string[]>(HOLDERS.map((holder) => [holder, []]));
    for (let file = 0; file < FILES; file++) for (const [holder, files] of ids) files.push(await started(holder, file));
    for (const id of [...ids.values()].flat())
      expect(counts(await registry.finished(id))).toEqual({
        status: 'COMPLETED',
        read: LINES,
        applied: LINES,
        failed: 0,
      });
    expect(faults).toEqual([]);
    const inOrder = Array.from({ length: FILES }, (_, file) => file);
    expect(Object.fromEntries(order)).toEqual(Object.fromEntries(HOLDERS.map((holder) => [holder, inOrder])));
  });

  test('stalled imports that fill every place delay no other account holder', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const reached = new Set<string>();
    registry.ledger.beforeApply = async ([key = '']) => {
      if (!key.startsWith('STALL')) return;
      reached.add(key);
      await released;
    };
    const stalled: string[] = [];
    for (let index = 0; index < STALLED; index++) stalled.push(await started(`STALL${index}`, 0, 1));
    await eventually(() => Promise.resolve(reached.size === STALLED), 'imports in every place');
    const ids = await Promise.all(HOLDERS.map((holder) => started(holder, FILES)));
    for (const id of ids) expect((await registry.finished(id)).status).toBe('COMPLETED');
    expect((await Promise.all(stalled.map((id) => registry.getImport(id)))).map(({ status }) => status)).toEqual(
      stalled.map(() => 'RUNNING'),
    );
    release();
    for (const id of stalled) expect((await registry.finished(id)).status).toBe('COMPLETED');
  });
});
