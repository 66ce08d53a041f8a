import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catchFailure, startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { requireSalesChannel } from '../src/neighbours/sales-channels.ts';
import { contract } from './contracts/rbac.ts';

/** Checks that traders can work with the minimal answers of its contract. */

let providers: FakeProviders;
beforeAll(async () => {
  providers = await startFakeProviders(contract);
});
afterAll(() => providers.stop());

const requireChannel = async (salesChannelId: string): Promise<void> =>
  requireSalesChannel(await providers.client('bindingDirectory'), salesChannelId, providers.call);

test('an active sales channel is accepted and a suspended one refused', async () => {
  await requireChannel('c1');
  expect(await catchFailure(requireChannel('c2'))).toMatchObject({ violations: [{ code: 'sales-channel-suspended' }] });
});

test('an unknown sales channel is refused', async () => {
  expect(await catchFailure(requireChannel('c3'))).toMatchObject({ violations: [{ code: 'unknown-sales-channel' }] });
});
