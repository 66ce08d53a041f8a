import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startIdentity, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  identity = await startIdentity({ variables: { SANDBOX: 'true' } });
});
afterAll(() => identity.stop());

await contractTests('identity', () => ({ service: identity.service, states: statesOf(identity) }));
