import { expect, test } from '@jest/globals';
import { tradersOf, type Proposal } from './holder.ts';
import { rangeOf, volumeOf } from './values.ts';

test('volumes are added, and a range of one certificate is that certificate', () => {
  expect(volumeOf([{ volume: 30 }, { volume: 4 }])).toBe(34n);
  const say = (first: string, last: string): string => `${first} to ${last}`;
  expect(rangeOf({ start: 'a_001', end: 'a_001' }, say)).toBe('1');
  expect(rangeOf({ start: 'a_121', end: 'a_150' }, say)).toBe('121 to 150');
});

test('an account holder is the traders that were accepted', () => {
  const proposal = (status: Proposal['status'], onboardedTraderId: string | null) =>
    ({ status, onboardedTraderId }) as Proposal;
  const traders = tradersOf([
    proposal('PENDING', null),
    proposal('ACCEPTED', 't1'),
    proposal('REJECTED', 'NOT_ONBOARDED'),
  ]);
  expect([...traders]).toEqual(['t1']);
});
