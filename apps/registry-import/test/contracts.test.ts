import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  registry = await startRegistryImport();
});
afterAll(() => registry.stop());

await contractTests('registry-import', () => ({ address: registry.service.address, states: statesOf(registry) }));
