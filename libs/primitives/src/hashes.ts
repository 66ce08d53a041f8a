import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Returns a JSON value in canonical form (RFC 8785). Equal values have equal texts.
 * @throws TypeError for other values (undefined, bigint, NaN, lone surrogates)
 */
export function toCanonicalText(value: unknown): string {
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
 * Returns the SHA-256 (32 bytes) of a JSON value in canonical form, regardless of key order and white space.
 * @throws TypeError for other values
 */
export const fingerprintRequest = (value: unknown): Buffer => hash('sha256', toCanonicalText(value), 'buffer');

/**
 * Returns a 32-bit hash that is the same in every process and release: FNV-1a over UTF-16 units, then the finalizer of
 * MurmurHash3, so that similar texts get different hashes. Not cryptographic: only for distributing work.
 */
export function stableHash(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
