import { afterAll, beforeAll, test } from '@jest/globals';
import { smallestPools, proveOwnConnections, waitForTotals } from '@saleschannel/testing';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';
import { startTraders, type Traders } from './support/traders.ts';

schemaTests(new URL('../src/store/', import.meta.url), schema);

let traders: Traders;
beforeAll(async () => {
  traders = await startTraders(smallestPools);
});
afterAll(() => traders.stop());

test('jobs run while calls hold all of their connections', async () => {
  const { trader } = await traders.create('channel');
  await proveOwnConnections({
    service: traders.service,
    table: 'trader',
    call: () => traders.get('channel', trader.id),
    work: () => waitForTotals(traders.service),
  });
});
