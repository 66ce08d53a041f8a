import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { createEventLog, type EventLog } from '../src/neighbours/event-log.ts';
import { contract } from './contracts/events.ts';

/** Checks that webhooks needs nothing of a response beyond its contract. */

let providers: FakeProviders;
let log: EventLog;
beforeAll(async () => {
  providers = await startFakeProviders(contract);
  log = createEventLog(await providers.client('eventLog'));
});
afterAll(() => providers.stop());

test('reads a log from a time on, with the preceding event', async () => {
  const range = { after: '2026-01-01T00:00:00.001Z', limit: 100, withPrevious: true };
  const { events, previousEventId } = await log.read('c1', range);
  expect(events).toMatchObject([{ id: 'e2', transactionId: 'x2', status: 'SUCCESS' }, { id: 'e3' }]);
  expect(previousEventId).toBe('e1');
  expect(await log.read('c2', { after: undefined, limit: 1, withPrevious: true })).toEqual({
    events: [],
    previousEventId: undefined,
  });
});

test('reads the heads of logs with events', async () => {
  const heads = await log.heads(['c1', 'c2']);
  expect([...heads]).toEqual([['c1', Date.parse('2026-01-01T00:00:00.003Z')]]);
});
