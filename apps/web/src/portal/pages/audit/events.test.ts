import { expect, test } from '@jest/globals';
import { describeChanges, joinCsv, readParts } from './events.ts';

test('lists changes by member', () => {
  expect(describeChanges(null, { role: 'TRADER_VIEWER' })).toBe('role: TRADER_VIEWER');
  expect(describeChanges({ name: 'A', same: 1 }, { name: 'B', same: 1 })).toBe('name: A → B');
  expect(describeChanges({ roles: ['A'] }, null)).toBe('roles: ["A"] → –');
  expect(describeChanges(null, null)).toBe('');
  expect(describeChanges(null, { long: 'x'.repeat(500) })).toHaveLength(161);
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
  const { texts, isWhole } = await readParts(read, 9);
  expect({ asked, isWhole }).toEqual({ asked: [undefined, 'a', 'b'], isWhole: true });
  expect(joinCsv(texts)).toBe('h\r\n1\r\n2\r\n');
  asked.length = 0;
  expect((await readParts(read, 1)).isWhole).toBe(false);
});
