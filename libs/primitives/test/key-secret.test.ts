import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { hashSecret, isWellFormedSecret, newSecret, secretsEqual } from '../src/index.ts';

const pepper = Buffer.alloc(32, 7);

test('a secret has its prefix, a fixed length and a checksum', () => {
  for (let i = 0; i < 200; i += 1) {
    const secret = newSecret('scs_key');
    expect(secret).toMatch(/^scs_key_[0-9A-Za-z]{49}$/);
    expect(isWellFormedSecret(secret, 'scs_key')).toBe(true);
    expect(isWellFormedSecret(secret, 'scs_reg')).toBe(false);
  }
  expect(newSecret('scs_reg')).not.toBe(newSecret('scs_reg'));
});

test('detects any single changed character', () => {
  const secret = newSecret('scs_reg');
  fc.assert(
    fc.property(fc.nat(secret.length - 1), fc.constantFrom(...'059AZaz_-'), (at, letter) => {
      fc.pre(secret[at] !== letter);
      expect(isWellFormedSecret(secret.slice(0, at) + letter + secret.slice(at + 1), 'scs_reg')).toBe(false);
    }),
  );
  expect(isWellFormedSecret(secret.slice(0, -1), 'scs_reg')).toBe(false);
  expect(isWellFormedSecret(`${secret}\n`, 'scs_reg')).toBe(false);
});

test('the checksum covers the prefix', () => {
  const secret = newSecret('scs_key');
  expect(isWellFormedSecret(secret.replace('scs_key', 'scs_reg'), 'scs_reg')).toBe(false);
});

test('the hash depends on the secret and the pepper', () => {
  const hash = hashSecret('a', pepper);
  expect(hash).toHaveLength(32);
  expect(secretsEqual(hash, hashSecret('a', pepper))).toBe(true);
  expect(secretsEqual(hash, hashSecret('b', pepper))).toBe(false);
  expect(secretsEqual(hash, hashSecret('a', Buffer.alloc(32, 8)))).toBe(false);
  expect(secretsEqual(hash, hash.subarray(1))).toBe(false);
});
