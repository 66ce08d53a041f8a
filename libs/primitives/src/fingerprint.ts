import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256 (32 bytes) of a JSON value in canonical form (RFC 8785): key order and white space don't count, everything
 * else does.
 * @throws TypeError for what is no JSON value (undefined, bigint, NaN, lone surrogates)
 */
export function requestFingerprint(value: unknown): Buffer {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (error) {
    throw new TypeError('only a JSON value has a fingerprint', { cause: error });
  }
  if (text === undefined) throw new TypeError('only a JSON value has a fingerprint');
  return createHash('sha256').update(text).digest();
}
