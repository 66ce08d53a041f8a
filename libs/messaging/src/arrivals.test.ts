import { expect, test } from '@jest/globals';
import type { IntegrationEntry } from '@saleschannel/contracts';
import { Arrivals } from './arrivals.ts';
import { openDelivery, type Item } from './delivery.ts';

const entryOf = (taskId: string, lane: string): IntegrationEntry =>
  ({ type: 'tasks.transfer.withdrawn.v1', event: { taskId, reason: lane, traceparent: '' } }) as IntegrationEntry;

/** A message with these entries, each named by its lane and number: `a1`. */
function deliveryOf(names: readonly string[], returns = 0) {
  const message = { properties: { headers: { 'x-delivery-count': returns } } };
  const entries = names.map((name) => entryOf(name, name.slice(0, 1)));
  return openDelivery(message as never, { kind: 'known', entries, unreadable: [] }, ({ event }) => ({
    keys: [],
    lane: 'reason' in event ? String(event.reason) : '',
  }));
}
const namesOf = (items: readonly Item[]): string[] =>
  items.map(({ entry }) => ('taskId' in entry.event ? entry.event.taskId : ''));

test('lanes take turns, and each keeps its order', () => {
  const arrivals = new Arrivals();
  arrivals.add(deliveryOf(['a1', 'a2', 'a3', 'a4', 'a5']));
  arrivals.add(deliveryOf(['a6', 'b1', 'b2']));
  arrivals.add(deliveryOf(['c1']));
  expect(namesOf(arrivals.take(5))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
  expect(namesOf(arrivals.take(2))).toEqual(['a3', 'a4']);
  arrivals.add(deliveryOf(['b3']));
  expect(namesOf(arrivals.take(100))).toEqual(['a5', 'b3', 'a6']);
  expect(arrivals.isEmpty).toBe(true);
});

test('with more lanes than a batch holds, every lane has its turn', () => {
  const arrivals = new Arrivals();
  for (const number of ['1', '2']) arrivals.add(deliveryOf([...'abcdef'].map((lane) => lane + number)));
  expect([arrivals.take(4), arrivals.take(4), arrivals.take(4)].map(namesOf)).toEqual([
    ['a1', 'b1', 'c1', 'd1'],
    ['e1', 'f1', 'a2', 'b2'],
    ['c2', 'd2', 'e2', 'f2'],
  ]);
});

test('a message that came back twice is alone, and one without entries is ended', () => {
  const arrivals = new Arrivals();
  const suspect = deliveryOf(['a1', 'b1'], 2);
  const empty = deliveryOf([]);
  for (const delivery of [deliveryOf(['a2']), suspect, empty]) arrivals.add(delivery);
  expect(arrivals.takeSuspect()).toBe(suspect);
  expect(arrivals.takeSuspect()).toBeUndefined();
  expect(arrivals.takeEmpty()).toEqual([empty]);
  expect(namesOf(arrivals.take(10))).toEqual(['a2']);
});
