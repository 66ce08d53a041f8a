import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startRbac, type Rbac } from './support/rbac.ts';

let rbac: Rbac;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  rbac = await startRbac({ SANDBOX: 'true' });
});
afterAll(() => rbac.stop());

await contractTests('rbac', () => ({ service: rbac.service, states: statesOf(rbac) }));
