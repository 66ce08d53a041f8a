import { expect, test } from '@jest/globals';
import { inWords } from './events.ts';

test('what something is comes before which one, whatever the order of its members', () => {
  expect(inWords({ id: 'cm7', type: 'user' })).toBe('user cm7');
  expect(inWords({ kind: 'operator' })).toBe('operator');
});
