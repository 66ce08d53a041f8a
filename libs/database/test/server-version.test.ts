import { expect, test } from '@jest/globals';
import { assertSupported } from '../src/server-version.ts';

test.each([
  [170_011, '17.11 (Debian 17.11-0+deb13u1)'],
  [160_004, '16.4'],
])('a server %i is refused by its name, before any migration', (number, version) => {
  expect(() => assertSupported(number, version)).toThrow(
    `PostgreSQL 18 or later is needed, and this server is PostgreSQL ${version}`,
  );
});

test.each([180_000, 180_006, 190_001])('a server %i is taken', (number) => {
  expect(() => assertSupported(number, 'this')).not.toThrow();
});
