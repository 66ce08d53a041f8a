import { expect, test } from '@jest/globals';
import { addEvent, type Event } from './events.ts';

const event = (id: string): Event => ({
  id,
  eventType: 'TRANSACTION_STATUS_CHANGE',
  createdAt: null,
  eventAt: null,
  payload: { transactionId: 't', status: 'SUCCESS' },
});

test('shows the latest event first, each once, and drops the oldest', () => {
  const two = addEvent(addEvent([], event('a')), event('b'));
  expect(two.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(addEvent(two, event('a'))).toBe(two);
  const many = Array.from({ length: 600 }, (_, index) => event(`e${index}`)).reduce(addEvent, two);
  expect([many.length, many[0]?.id]).toEqual([500, 'e599']);
});
