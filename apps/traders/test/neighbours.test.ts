import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failureOf, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { requireSalesChannel } from '../src/neighbours/sales-channels.ts';
import { contract } from './contracts/rbac.ts';

/** What traders makes of answers that say no more than its contract does. */

let providers: FakeProviders;
beforeAll(async () => {
  providers = await startFakeProviders(contract);
});
afterAll(() => providers.stop());

const requireChannel = async (salesChannelId: string): Promise<void> =>
  requireSalesChannel(await providers.client('bindingDirectory'), salesChannelId, providers.call);

test('a sales channel that is there is as good as it says', async () => {
  await requireChannel('c1');
  expect(await failureOf(requireChannel('c2'))).toMatchObject({ violations: [{ code: 'sales-channel-suspended' }] });
});

test('that there is none is told from other failures', async () => {
  expect(await failureOf(requireChannel('c3'))).toMatchObject({ violations: [{ code: 'unknown-sales-channel' }] });
});
