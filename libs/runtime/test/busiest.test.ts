import { expect, test } from '@jest/globals';
import { BusiestCounts, OTHERS } from '../src/busiest.ts';

const MINUTE_MS = 60_000;

function counts(namedAtMost: number) {
  let now = 0;
  const busiest = new BusiestCounts({ now: () => now, namedAtMost });
  return {
    add: (key: string, times = 1) => {
      for (let time = 0; time < times; time++) busiest.add(key, 'ok');
    },
    /** The figures, by key. */
    read: () => Object.fromEntries(busiest.read().map(({ key, count }) => [key, count])),
    passMinute: () => (now += MINUTE_MS),
  };
}

test('all are named while there is room, and the others are one', () => {
  const busiest = counts(2);
  busiest.add('a', 3);
  busiest.add('b');
  busiest.add('c', 5);
  busiest.add('d', 4);
  expect(busiest.read()).toEqual({ a: 3, b: 1, [OTHERS]: 9 });
});

test('whoever was busiest in the last minute is named in the next one, from 0 on', () => {
  const busiest = counts(2);
  busiest.add('a', 3);
  busiest.add('b');
  busiest.add('c', 5);
  busiest.passMinute();
  expect(busiest.read()).toEqual({ a: 3, [OTHERS]: 5 });
  busiest.add('c', 2);
  busiest.add('b');
  expect(busiest.read()).toEqual({ a: 3, c: 2, [OTHERS]: 6 });
});

test('whoever is named stays so until another one is more than twice as busy', () => {
  const busiest = counts(1);
  busiest.add('a', 3);
  busiest.add('b', 6);
  busiest.passMinute();
  expect(busiest.read()).toEqual({ a: 3, [OTHERS]: 6 });
  busiest.add('a', 3);
  busiest.add('b', 7);
  busiest.passMinute();
  busiest.read();
  busiest.add('b');
  expect(busiest.read()).toEqual({ b: 1, [OTHERS]: 13 });
});

test('however many keys come, as many figures are kept as were asked for', () => {
  const busiest = counts(10);
  for (let minute = 0; minute < 3; minute++) {
    for (let key = 0; key < 20_000; key++) busiest.add(`${minute}/${key}`);
    busiest.passMinute();
    expect(Object.keys(busiest.read()).length).toBeLessThanOrEqual(11);
  }
});
