import { expect, test } from '@jest/globals';
import type { IntegrationEntry } from '@saleschannel/contracts';
import * as fc from 'fast-check';
import { Arrivals } from './schedule.ts';
import { createDelivery, type Item } from './deliveries.ts';

const toEntry = (taskId: string, lane: string): IntegrationEntry =>
  ({ type: 'tasks.transfer.withdrawn.v1', event: { taskId, reason: lane, traceparent: '' } }) as IntegrationEntry;

/** Creates a message with these entries, each named by its lane, number and cost (1 if absent): `a1`, `b2:50`. */
function toDelivery(names: readonly string[], returns = 0) {
  const message = { properties: { headers: { 'x-delivery-count': returns } } };
  const entries = names.map((name) => toEntry(name, name.slice(0, 1)));
  const parseCost = (name: string): number => parseInt(name.split(':')[1] ?? '1', 10);
  return createDelivery(message as never, { kind: 'known', entries, unreadable: [] }, ({ event }) => ({
    keys: [],
    lane: 'reason' in event ? String(event.reason) : '',
    cost: 'taskId' in event ? parseCost(event.taskId) : 1,
  }));
}
const toNames = (items: readonly Item[]): string[] =>
  items.map(({ entry }) => ('taskId' in entry.event ? entry.event.taskId : ''));

const upTo = (entries: number, cost = Infinity) => ({ entries, cost });

test('lanes take turns, and each keeps its order', () => {
  const arrivals = new Arrivals();
  arrivals.add(toDelivery(['a1', 'a2', 'a3', 'a4', 'a5']));
  arrivals.add(toDelivery(['a6', 'b1', 'b2']));
  arrivals.add(toDelivery(['c1']));
  expect(toNames(arrivals.take(upTo(5)))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
  expect(toNames(arrivals.take(upTo(2)))).toEqual(['a3', 'a4']);
  arrivals.add(toDelivery(['b3']));
  expect(toNames(arrivals.take(upTo(100)))).toEqual(['a5', 'b3', 'a6']);
  expect(arrivals.isEmpty).toBe(true);
});

test('with more lanes than a batch holds, every lane is served', () => {
  const arrivals = new Arrivals();
  for (const number of ['1', '2']) arrivals.add(toDelivery([...'abcdef'].map((lane) => lane + number)));
  expect([arrivals.take(upTo(4)), arrivals.take(upTo(4)), arrivals.take(upTo(4))].map(toNames)).toEqual([
    ['a1', 'b1', 'c1', 'd1'],
    ['e1', 'f1', 'a2', 'b2'],
    ['c2', 'd2', 'e2', 'f2'],
  ]);
});

test('a message returned twice is taken alone, and a message without entries is finished', () => {
  const arrivals = new Arrivals();
  const suspect = toDelivery(['a1', 'b1'], 2);
  const empty = toDelivery([]);
  for (const delivery of [toDelivery(['a2']), suspect, empty]) arrivals.add(delivery);
  expect(arrivals.takeSuspect()).toBe(suspect);
  expect(arrivals.takeSuspect()).toBeUndefined();
  expect(arrivals.takeEmpty()).toEqual([empty]);
  expect(toNames(arrivals.take(upTo(10)))).toEqual(['a2']);
});

test('lanes share work by cost: a small entry overtakes the backlog of an expensive lane', () => {
  const arrivals = new Arrivals();
  arrivals.add(toDelivery(['a1:1000', 'a2:1000', 'a3:1000', 'a4:1000', 'a5:1000']));
  expect(toNames(arrivals.take(upTo(400, 2_000)))).toEqual(['a1:1000', 'a2:1000']);
  arrivals.add(toDelivery(['b1', 'b2', 'c1:900']));
  expect(toNames(arrivals.take(upTo(400, 2_000)))).toEqual(['b1', 'b2', 'c1:900', 'a3:1000']);
  expect(toNames(arrivals.take(upTo(400, 2_000)))).toEqual(['a4:1000', 'a5:1000']);
  expect(arrivals.isEmpty).toBe(true);
});

test('an entry above the limit is a batch of its own', () => {
  const arrivals = new Arrivals();
  arrivals.add(toDelivery(['a1:10', 'a2:70', 'a3:10']));
  expect([1, 2, 3].map(() => toNames(arrivals.take(upTo(400, 50))))).toEqual([['a1:10'], ['a2:70'], ['a3:10']]);
});

test('a steady flow of small entries does not starve a large one', () => {
  const arrivals = new Arrivals();
  arrivals.add(toDelivery(['a1:20']));
  const names: string[] = [];
  for (let count = 0; count < 30; count++) {
    arrivals.add(toDelivery([`b${count}`]));
    names.push(...toNames(arrivals.take(upTo(1))));
  }
  expect(names.indexOf('a1:20')).toBe(19);
});

/** Lanes with entries of any cost. */
const backlogs = fc.array(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 30 }), {
  minLength: 2,
  maxLength: 6,
});

test('property: entries are taken once, in order, within limits, and backlogged lanes get equal work', () => {
  fc.assert(
    fc.property(
      backlogs,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 3_000 }),
      (lanes, entries, cost) => {
        const arrivals = new Arrivals();
        const named = lanes.map((costs, lane) => costs.map((each, index) => `${'abcdef'[lane]}${index}:${each}`));
        for (const names of named) arrivals.add(toDelivery(names));
        const items: Item[] = [];
        while (!arrivals.isEmpty) {
          const batch = arrivals.take(upTo(entries, cost));
          const sum = batch.reduce((total, item) => total + item.cost, 0);
          expect(batch.length === 1 || (batch.length <= entries && sum <= cost)).toBe(true);
          items.push(...batch);
        }
        const orders = named.map((names) => toNames(items).filter((name) => name.startsWith(names[0]?.[0] ?? '?')));
        expect(orders).toEqual(named);
        // Until the first lane is empty, the work of two lanes differs by the largest entry at most.
        const work = new Map(named.map((names) => [names[0]?.[0] ?? '', 0]));
        const remaining = new Map(named.map((names) => [names[0]?.[0] ?? '', names.length]));
        for (const item of items) {
          work.set(item.lane, (work.get(item.lane) ?? 0) + item.cost);
          expect(Math.max(...work.values()) - Math.min(...work.values())).toBeLessThanOrEqual(1_000);
          remaining.set(item.lane, (remaining.get(item.lane) ?? 0) - 1);
          if (remaining.get(item.lane) === 0) break;
        }
      },
    ),
  );
});
