import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Tells a leaked secret's kind at a glance, for people and secret scanners: sales-channel key, registry key, or the
 * token of an invitation.
 */
export type SecretPrefix = 'scs_key' | 'scs_reg' | 'scs_inv';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
/** 62^43 > 2^256 */
const RANDOM_LENGTH = 43;
/** 62^6 > 2^32 */
const CHECKSUM_LENGTH = 6;
const BODY_FORM = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text;
  return text;
}

function checksumOf(prefixed: string): string {
  return base62(BigInt(crc32(prefixed)), CHECKSUM_LENGTH);
}

/**
 * A new secret: the prefix, `_`, 256 random bits in base 62 and a checksum over all of it, e.g. `scs_key_` and 49
 * letters and digits. The checksum lets a typing error or a made-up secret be refused without a look-up.
 */
export function newSecret(prefix: SecretPrefix): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  const text = `${prefix}_${base62(random, RANDOM_LENGTH)}`;
  return text + checksumOf(text);
}

/**
 * Whether a text could be a secret of this kind: prefix, length, alphabet and checksum. It says nothing about whether
 * it is valid.
 */
export function isWellFormedSecret(text: string, prefix: SecretPrefix): boolean {
  const start = `${prefix}_`;
  if (!text.startsWith(start) || !BODY_FORM.test(text.slice(start.length))) return false;
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * What is stored of a secret: HMAC-SHA-256 (32 bytes) under the installation's pepper. Fast on purpose: a secret of 256
 * random bits can't be guessed, so the slow hashes made for passwords would only slow down each request.
 */
export function hashSecret(secret: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function secretsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
