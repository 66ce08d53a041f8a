import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { unavailable } from '@saleschannel/errors';
import type { ResponseOf } from '@saleschannel/grpc';
import { runIn, startAdmin, type Admin } from './support/admin.ts';

let admin: Admin;
beforeAll(async () => {
  admin = await startAdmin();
});
beforeEach(() => {
  admin.asked.length = 0;
  admin.comparisons.length = 0;
});
afterAll(() => admin.stop());

type Comparison = ResponseOf<'reconciliation.Reconcile'>;

const channel = { salesChannelId: 'c1', last: '9', upto: '4', highest: '6', missing: '4' };
const lacking = (republished: number): Comparison => ({
  consumers: [
    { consumer: 'events', lagEntries: '4', lagSeconds: 90.5, republished, channels: [channel], isComplete: false },
    { consumer: 'tasks', fault: 'no answer' },
  ],
  hasMore: republished > 0,
});
const complete: Comparison = {
  consumers: [
    { consumer: 'events', isComplete: true },
    { consumer: 'tasks', isComplete: true },
  ],
};
const nothing = { lagEntries: '0', lagSeconds: 0, republished: '0', channels: [] };
const requests = (): unknown[] => admin.asked.map(({ request }) => request);

test('reconcile republishes until nothing is left, and reports the total', async () => {
  admin.comparisons.push(lacking(3), lacking(1), lacking(0));
  const { exitCode, json } = await admin.run('reconcile', '--channel', 'c1');
  expect(exitCode).toBe(0);
  expect(json()).toEqual([
    {
      consumer: 'events',
      isComplete: false,
      lagEntries: '4',
      lagSeconds: 90.5,
      republished: '4',
      channels: [channel],
    },
    { consumer: 'tasks', isComplete: false, fault: 'no answer', ...nothing },
  ]);
  expect(requests()).toEqual([1, 2, 3].map(() => ({ salesChannelId: 'c1', onlyLook: false })));
});

test('reconcile --status compares once and republishes nothing', async () => {
  admin.comparisons.push(lacking(0));
  const { json } = await admin.run('reconcile', '--status');
  expect(json()).toMatchObject([{ consumer: 'events', republished: '0' }, { consumer: 'tasks' }]);
  expect(requests()).toEqual([{ onlyLook: true }]);
});

test('reconcile --wait ends when nothing is missing', async () => {
  admin.comparisons.push(lacking(4), lacking(0), complete);
  const { json } = await admin.run('reconcile', '--wait');
  expect(json()).toEqual([
    { consumer: 'events', isComplete: true, ...nothing, republished: '4' },
    { consumer: 'tasks', isComplete: true, ...nothing },
  ]);
  expect(admin.comparisons).toEqual([]);
});

test('an unreachable inventory is an error that names its variable', async () => {
  admin.fail(unavailable(new Error('away')));
  const { exitCode, errors } = await admin.run('reconcile');
  admin.fail(undefined);
  expect(exitCode).toBe(1);
  expect(errors).toContain('INVENTORY_ADDRESS');
});

test('reconcile needs only the key and the address of inventory', async () => {
  const { SERVICE_PRIVATE_KEY, INVENTORY_ADDRESS } = admin.environment;
  expect((await runIn({ SERVICE_PRIVATE_KEY, INVENTORY_ADDRESS }, 'reconcile')).exitCode).toBe(0);
  const { exitCode, errors } = await runIn({ SERVICE_PRIVATE_KEY }, 'reconcile');
  expect(exitCode).toBe(2);
  expect(errors).toContain('INVENTORY_ADDRESS is not set');
});
