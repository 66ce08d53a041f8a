import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { ServiceClient } from '@saleschannel/grpc';
import { asRegistry, removeMarkers, eventually } from '@saleschannel/testing';
import { NDJSON, ndjson, partsOf } from './support/files.ts';
import { facilityLine } from './support/records.ts';
import { counts, startRegistryImport, type Registry, type RegistryImport } from './support/registry-import.ts';

/** Two replicas with concurrent imports of several account holders. */

jest.setTimeout(120_000);

const HOLDERS = ['ANNA', 'BERT', 'CLEO', 'DIRK', 'EMMA'];
const FILES = 4;
const LINES = 120;
/** More than both replicas can run at once. */
const STALLED = 6;

let registry: RegistryImport;
let replica: Registry & { stop(): Promise<void> };
let client: ServiceClient<'registryImport'>;
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
