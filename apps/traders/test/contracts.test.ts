import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startTraders, type Traders } from './support/traders.ts';

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders();
});
afterAll(() => traders.stop());

await contractTests('traders', () => ({ service: traders.service, states: statesOf(traders) }));
