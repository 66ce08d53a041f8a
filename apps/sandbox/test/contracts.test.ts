import { afterAll, beforeAll } from '@jest/globals';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { startContracted, type ContractedSandbox } from './support/contracted.ts';

let sandbox: ContractedSandbox;
beforeAll(async () => {
  sandbox = await startContracted();
});
// neighbours.test.ts verifies the sandbox's own contracts.
afterAll(() => sandbox.stop());

/** The sandbox has no state of its own; the contracts of its providers define it. */
const states: States = {
  'a sales channel with traders and a webhook endpoint': () => Promise.resolve({ channel: 'c1', endpoint: 'e1' }),
};

await contractTests('sandbox', () => ({ service: sandbox, states }));
