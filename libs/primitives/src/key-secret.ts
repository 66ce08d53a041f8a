import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Prefix that shows people and secret scanners the kind of a leaked secret: API key, registry key or invitation. */
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

function checksum(prefixed: string): string {
  return base62(BigInt(crc32(prefixed)), CHECKSUM_LENGTH);
}

/**
 * Creates a secret: prefix, `_`, 256 random bits in base 62 and a checksum, such as `scs_key_` and 49 letters and
 * digits. The checksum rejects typing errors and invented secrets without a database lookup.
 */
export function newSecret(prefix: SecretPrefix): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`);
  const text = `${prefix}_${base62(random, RANDOM_LENGTH)}`;
  return text + checksum(text);
}

/** Checks prefix, length, alphabet and checksum. A well-formed secret may still be invalid. */
export function isWellFormedSecret(text: string, prefix: SecretPrefix): boolean {
  const start = `${prefix}_`;
  if (!text.startsWith(start) || !BODY_FORM.test(text.slice(start.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * Hashes a secret for storage with HMAC-SHA-256 (32 bytes) under the installation's pepper. Fast on purpose: 256 random
 * bits cannot be guessed, so a slow password hash would only delay each request.
 */
export function hashSecret(secret: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/** Compares two hashes in constant time. */
export function secretsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
