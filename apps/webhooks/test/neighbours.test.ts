import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import { eventLogOf, type EventLog } from '../src/neighbours/event-log.ts';
import { contract } from './contracts/events.ts';

/** What webhooks makes of answers that say no more than its contract does. */

let providers: FakeProviders;
let log: EventLog;
beforeAll(async () => {
  providers = await startFakeProviders(contract);
  log = eventLogOf(await providers.client('eventLog'));
});
afterAll(() => providers.stop());

test('a log is read from a time on, with the event before', async () => {
  const asked = { after: '2026-01-01T00:00:00.001Z', limit: 100, withPrevious: true };
  const { events, previousEventId } = await log.read('c1', asked);
  expect(events).toMatchObject([{ id: 'e2', transactionId: 'x2', status: 'SUCCESS' }, { id: 'e3' }]);
  expect(previousEventId).toBe('e1');
  expect(await log.read('c2', { after: undefined, limit: 1, withPrevious: true })).toEqual({
    events: [],
    previousEventId: undefined,
  });
});

test('logs have an end, where there are events', async () => {
  const heads = await log.heads(['c1', 'c2']);
  expect([...heads]).toEqual([['c1', Date.parse('2026-01-01T00:00:00.003Z')]]);
});
