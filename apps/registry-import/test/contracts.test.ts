import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

let registry: RegistryImport;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  registry = await startRegistryImport({ SANDBOX: 'true' });
});
afterAll(() => registry.stop());

await contractTests('registry-import', () => ({ service: registry.service, states: statesOf(registry) }));
