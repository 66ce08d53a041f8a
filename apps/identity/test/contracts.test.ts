import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startIdentity, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  // What a sandbox asks for, it may ask for there alone.
  identity = await startIdentity({ variables: { SANDBOX: 'true' } });
});
afterAll(() => identity.stop());

await contractTests('identity', () => ({ service: identity.service, states: statesOf(identity) }));
