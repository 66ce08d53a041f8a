import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Returns a JSON value in canonical form (RFC 8785). Equal values have equal texts.
 * @throws TypeError for other values (undefined, bigint, NaN, lone surrogates)
 */
export function canonicalText(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (error) {
    throw new TypeError('Only JSON values have a canonical form.', { cause: error });
  }
  if (text === undefined) throw new TypeError('Only JSON values have a canonical form.');
  return text;
}

/**
 * SHA-256 (32 bytes) of a JSON value in canonical form, which ignores key order and white space.
 * @throws TypeError for other values
 */
export const requestFingerprint = (value: unknown): Buffer => hash('sha256', canonicalText(value), 'buffer');
