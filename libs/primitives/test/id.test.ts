import { expect, test } from '@jest/globals';
import { isId, newId } from '../src/index.ts';

test('an id is c and 24 lower-case letters and digits', () => {
  for (let i = 0; i < 2000; i += 1) expect(newId()).toMatch(/^c[a-z0-9]{24}$/);
  expect(isId(newId())).toBe(true);
  expect(isId(newId().toUpperCase())).toBe(false);
  expect(isId(`${newId()}0`)).toBe(false);
});

test('ids do not repeat', () => {
  const count = 100_000;
  const ids = new Set<string>();
  for (let i = 0; i < count; i += 1) ids.add(newId());
  expect(ids.size).toBe(count);
});

test('an id begins with the time in base 36, so ids sort by time', () => {
  const beforeMs = Date.now();
  const timeMs = Number.parseInt(newId().slice(1, 9), 36);
  expect(timeMs).toBeGreaterThanOrEqual(beforeMs);
  expect(timeMs).toBeLessThanOrEqual(Date.now());
});

test('every letter of the alphabet is equally likely in the random part', () => {
  const counts = new Map<string, number>();
  const rounds = 20_000;
  for (let i = 0; i < rounds; i += 1)
    for (const letter of newId().slice(9)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (rounds * 16) / 36;
  expect(counts.size).toBe(36);
  // Eight standard deviations: far more than chance, far less than the bias of taking a byte modulo 36.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(8 * Math.sqrt(expected));
});
