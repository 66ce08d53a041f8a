import { afterAll, beforeAll } from '@jest/globals';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { startContracted, type ContractedSandbox } from './support/contracted.ts';

let sandbox: ContractedSandbox;
beforeAll(async () => {
  sandbox = await startContracted();
});
// Whether all was asked that its own contracts say is for neighbours.test.ts.
afterAll(() => sandbox.stop());

/** The sandbox keeps nothing, so its state is that of others: what its own contracts with them are about. */
const states: States = {
  'a sales channel with traders and a webhook endpoint': () => Promise.resolve({ channel: 'c1', endpoint: 'e1' }),
};

await contractTests('sandbox', () => ({ service: sandbox, states }));
