import { expect, test } from '@jest/globals';
import { inWords, timesOf } from './events.ts';

test('the last day is there with its last moment', () => {
  expect(timesOf({ from: '2026-02-28', to: '2026-02-28' })).toEqual({
    from: '2026-02-28T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
  });
});

test('what no day can be is left out', () => {
  expect(timesOf({ from: 'yesterday', to: undefined })).toEqual({});
});

test('what something is comes before which one, whatever the order of its members', () => {
  expect(inWords({ id: 'cm7', type: 'user' })).toBe('user cm7');
  expect(inWords({ kind: 'operator' })).toBe('operator');
});
