import { expect, test } from '@jest/globals';
import { checkMove } from './checks.ts';

const now = Date.parse('2026-11-23T20:00:00Z');
const good = { periodStart: '2025-01-01', periodEnd: '2025-12-31', beneficiaryHiddenUntil: '2027-01-01' };

test.each([
  [{}, []],
  [{ periodStart: '2025-12-31', periodEnd: '2025-12-31' }, []],
  [{ beneficiaryHiddenUntil: '' }, []],
  [{ periodStart: '2025-12-31', periodEnd: '2025-01-01' }, ['periodEnd']],
  [{ unitPrice: '1', currency: '' }, ['currency']],
  [{ unitPrice: '1', currency: 'EUR' }, []],
  [{ unitPrice: '', currency: 'EUR' }, []],
  [{ beneficiaryHiddenUntil: '2026-11-23' }, ['beneficiaryHiddenUntil']],
  [{ beneficiaryHiddenUntil: '2028-01-01' }, ['beneficiaryHiddenUntil']],
  [{ periodStart: '2026-01-01', beneficiaryHiddenUntil: '2020-01-01' }, ['periodEnd', 'beneficiaryHiddenUntil']],
])('a retirement with %p has faults at %p', (changes, names) => {
  expect(checkMove('retire', { ...good, ...changes }, now).map(([name]) => name)).toEqual(names);
});

test('says what is wrong', () => {
  expect(checkMove('retire', { ...good, periodEnd: '2024-12-31' }, now)).toEqual([
    ['periodEnd', 'The last day of the period must not be before its first day, 2025-01-01.'],
  ]);
});

test.each(['trade', 'offramp'] as const)('a %s has neither period nor embargo', (act) => {
  expect(checkMove(act, { periodStart: '2025-12-31', periodEnd: '2025-01-01' }, now)).toEqual([]);
});
