import { describe, expect, test } from '@jest/globals';
import { noAnswer, problemOf } from '../../../shared/api/problem.ts';
import { isRefusal, moveFaults } from './faults.ts';

describe('the faults of a move', () => {
  test('stand at fields, at selections, or by themselves', () => {
    const { atFields, atAssets, others } = moveFaults([
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

  test('a new key is drawn only where nothing was done', () => {
    const answered = (status: number) => problemOf(status, {}, new Headers());
    expect([400, 403, 404, 413].map((status) => isRefusal(answered(status)))).toEqual([true, true, true, true]);
    expect([401, 429, 500, 502, 503, 504].some((status) => isRefusal(answered(status)))).toBe(false);
    expect(isRefusal(noAnswer())).toBe(false);
  });
});
