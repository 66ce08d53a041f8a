import { expect, test } from '@jest/globals';
import { changesOf, joinedCsv, walk } from './events.ts';

test('lists changes by member', () => {
  expect(changesOf(null, { role: 'TRADER_VIEWER' })).toBe('role: TRADER_VIEWER');
  expect(changesOf({ name: 'A', same: 1 }, { name: 'B', same: 1 })).toBe('name: A → B');
  expect(changesOf({ roles: ['A'] }, null)).toBe('roles: ["A"] → –');
  expect(changesOf(null, null)).toBe('');
  expect(changesOf(null, { long: 'x'.repeat(500) })).toHaveLength(161);
});

const parts = [
  { text: 'h\r\n1\r\n', next: 'a' },
  { text: 'h\r\n2\r\n', next: 'b' },
  { text: '', next: 'c' },
];

test('reads a list to its end, or up to the limit', async () => {
  const asked: (string | undefined)[] = [];
  const read = (after: string | undefined) => {
    asked.push(after);
    return Promise.resolve(parts[asked.length - 1] ?? { text: 'never', next: undefined });
  };
  const { texts, isWhole } = await walk(read, 9);
  expect({ asked, isWhole }).toEqual({ asked: [undefined, 'a', 'b'], isWhole: true });
  expect(joinedCsv(texts)).toBe('h\r\n1\r\n2\r\n');
  asked.length = 0;
  expect((await walk(read, 1)).isWhole).toBe(false);
});
