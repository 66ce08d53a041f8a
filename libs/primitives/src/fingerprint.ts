import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * A JSON value in canonical form (RFC 8785): equal values have equal texts.
 * @throws TypeError for what is no JSON value (undefined, bigint, NaN, lone surrogates)
 */
export function canonicalText(value: unknown): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (error) {
    throw new TypeError('The value must be a JSON value to have a canonical form', { cause: error });
  }
  if (text === undefined) throw new TypeError('The value must be a JSON value to have a canonical form');
  return text;
}

/**
 * SHA-256 (32 bytes) of a JSON value in canonical form: key order and white space don't count, everything else does.
 * @throws TypeError for what is no JSON value
 */
export const requestFingerprint = (value: unknown): Buffer => hash('sha256', canonicalText(value), 'buffer');
