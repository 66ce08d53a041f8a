import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startIdentity, type Identity } from './support/identity.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

await contractTests('identity', () => ({ address: identity.service.address, states: statesOf(identity) }));
