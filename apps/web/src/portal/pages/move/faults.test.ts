import { describe, expect, test } from '@jest/globals';
import { createNoResponseError, toApiError } from '../../../shared/api/problem.ts';
import { checkTransfer, isRejection, groupTransferFaults } from './faults.ts';

describe('errors of a transfer', () => {
  test('belong to fields, selections or neither', () => {
    const { atFields, atAssets, others } = groupTransferFaults([
      { pointer: '#/assets/0/unitPrice', detail: 'too many digits', code: 'a' },
      { pointer: '#/assets/2/start', detail: 'is reserved', code: 'b' },
      { pointer: '#/assets/1', detail: 'is unknown', code: 'b' },
      { pointer: '#/consumptionPeriod/end', detail: 'is too early', code: 'c' },
      { pointer: '#/assets', detail: 'are too many', code: 'd' },
    ]);
    expect(Object.fromEntries(atFields)).toEqual({
      '/unitPrice': 'too many digits',
      '/consumptionPeriod/end': 'is too early',
    });
    expect([...atAssets]).toEqual([
      [2, 'is reserved'],
      [1, 'is unknown'],
    ]);
    expect(others).toEqual(['/assets: are too many']);
  });

  test('only a definite rejection allows a new key', () => {
    const answered = (status: number) => toApiError(status, {}, new Headers());
    expect([400, 403, 404, 413].map((status) => isRejection(answered(status)))).toEqual([true, true, true, true]);
    expect([401, 429, 500, 502, 503, 504].some((status) => isRejection(answered(status)))).toBe(false);
    expect(isRejection(createNoResponseError())).toBe(false);
  });
});

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
])('a retirement with %p has errors at %p', (changes, names) => {
  expect(checkTransfer('retire', { ...good, ...changes }, now).map(([name]) => name)).toEqual(names);
});

test('states the error', () => {
  expect(checkTransfer('retire', { ...good, periodEnd: '2024-12-31' }, now)).toEqual([
    ['periodEnd', 'The last day of the period must not be before its first day, 2025-01-01.'],
  ]);
});

test.each(['trade', 'offramp'] as const)('a %s has neither period nor embargo', (act) => {
  expect(checkTransfer(act, { periodStart: '2025-12-31', periodEnd: '2025-01-01' }, now)).toEqual([]);
});
