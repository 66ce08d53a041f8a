import { expect, test } from '@jest/globals';
import { endingSoon } from './ending.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const key = (id: string, expiresAt: string) => ({ id, kind: 'API' as const, name: null, expiresAt });

test('keys that end within thirty days are told, the next one first', () => {
  const keys = [
    key('in-thirty-days', '2026-03-31T00:00:00Z'),
    key('in-29-days', '2026-03-30T23:59:59Z'),
    key('tomorrow', '2026-03-02T00:00:00Z'),
    key('ended', '2026-02-28T23:59:59Z'),
  ];
  expect(endingSoon(keys, now).map(({ id }) => id)).toEqual(['tomorrow', 'in-29-days']);
});
