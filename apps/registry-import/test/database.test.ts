import { afterAll, beforeAll, test } from '@jest/globals';
import { smallestPools, proveOwnConnections, waitForTotals } from '@saleschannel/testing';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

schemaTests(new URL('../src/store/', import.meta.url), schema);

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport(smallestPools);
});
afterAll(() => registry.stop());

test('jobs continue while calls occupy all of their connections', async () => {
  const holder = await registry.createHolder('NO-1');
  await proveOwnConnections({
    service: registry.service,
    table: 'account_holder',
    call: () => registry.get(holder),
    work: () => waitForTotals(registry.service),
  });
});
