import { expect, test } from '@jest/globals';
import { changesOf } from './address.ts';

const before = { street1: 'Kai 1', street2: 'Hall B', postalCode: '5003', city: 'Bergen', country: 'Norway' };

test('an address sends what changed, and only its second line can be removed', () => {
  expect(changesOf((name) => before[name], before)).toEqual({});
  const form: Partial<typeof before> = { ...before, city: 'Oslo', street2: undefined, street1: undefined };
  expect(changesOf((name) => form[name], before)).toEqual({ city: 'Oslo', street2: null });
});
