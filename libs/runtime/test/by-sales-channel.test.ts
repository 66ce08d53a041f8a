import { expect, test } from '@jest/globals';
import { BusiestCounts, OTHER_KEYS } from '../src/metrics.ts';

const MINUTE_MS = 60_000;

function counts(namedAtMost: number) {
  let now = 0;
  const busiest = new BusiestCounts({ now: () => now, namedAtMost });
  return {
    add: (key: string, times = 1) => {
      for (let time = 0; time < times; time++) busiest.add(key, 'ok');
    },
    /** Counts by key. */
    read: () => Object.fromEntries(busiest.read().map(({ key, count }) => [key, count])),
    passMinute: () => (now += MINUTE_MS),
  };
}

test('names keys up to the limit, and combines the others', () => {
  const busiest = counts(2);
  busiest.add('a', 3);
  busiest.add('b');
  busiest.add('c', 5);
  busiest.add('d', 4);
  expect(busiest.read()).toEqual({ a: 3, b: 1, [OTHER_KEYS]: 9 });
});

test('names the busiest keys of the last minute, counted from 0', () => {
  const busiest = counts(2);
  busiest.add('a', 3);
  busiest.add('b');
  busiest.add('c', 5);
  busiest.passMinute();
  expect(busiest.read()).toEqual({ a: 3, [OTHER_KEYS]: 5 });
  busiest.add('c', 2);
  busiest.add('b');
  expect(busiest.read()).toEqual({ a: 3, c: 2, [OTHER_KEYS]: 6 });
});

test('keeps a named key until another is more than twice as busy', () => {
  const busiest = counts(1);
  busiest.add('a', 3);
  busiest.add('b', 6);
  busiest.passMinute();
  expect(busiest.read()).toEqual({ a: 3, [OTHER_KEYS]: 6 });
  busiest.add('a', 3);
  busiest.add('b', 7);
  busiest.passMinute();
  busiest.read();
  busiest.add('b');
  expect(busiest.read()).toEqual({ b: 1, [OTHER_KEYS]: 13 });
});

test('keeps no more counts than the limit, for any number of keys', () => {
  const busiest = counts(10);
  for (let minute = 0; minute < 3; minute++) {
    for (let key = 0; key < 20_000; key++) busiest.add(`${minute}/${key}`);
    busiest.passMinute();
    expect(Object.keys(busiest.read()).length).toBeLessThanOrEqual(11);
  }
});
