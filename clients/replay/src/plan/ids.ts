import { createHash } from 'node:crypto';

/** Namespace of issuance ids (RFC 9562 section 6.6). It must not change, because equal files must give equal ids. */
const NAMESPACE = Buffer.from('d1f0b8a6c9e44d0b8a5e3f7c21904b6e', 'hex');
const UUID_BYTES = 16;
const VERSION_BYTE = 6;
const VARIANT_BYTE = 8;
const CODE_LENGTH = 6;
const CODES = 36n ** BigInt(CODE_LENGTH);

/** Deterministic UUID (version 5) of a batch in a registry. */
export const createIssuanceId = (registry: string, batch: string): string =>
  createUuid(JSON.stringify([registry, batch]));

/** UUID version 5 (RFC 9562 section 5.5), which node:crypto does not offer. */
function createUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, UUID_BYTES);
  bytes.writeUInt8((bytes.readUInt8(VERSION_BYTE) & 0x0f) | 0x50, VERSION_BYTE);
  bytes.writeUInt8((bytes.readUInt8(VARIANT_BYTE) & 0x3f) | 0x80, VARIANT_BYTE);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Idempotency key of a step: 43 letters, digits, underscores and hyphens. Repeated runs send the same key. */
export const createIdempotencyKey = (
  ...parts: readonly [registry: string, batch: string, start: string, end: string, kind: string]
): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Assigns a code of six letters and digits to each key.
 * @param code derives a code. Attempts count from 0. A taken code causes another attempt
 */
export function assignFacilityCodes(keys: Iterable<string>, code: typeof deriveCode = deriveCode): Map<string, string> {
  const codes = new Map<string, string>();
  const taken = new Set<string>();
  for (const key of [...new Set(keys)].toSorted()) {
    let attempt = 0;
    while (taken.has(code(key, attempt))) attempt++;
    taken.add(code(key, attempt));
    codes.set(key, code(key, attempt));
  }
  return codes;
}

function deriveCode(key: string, attempt: number): string {
  const name = attempt === 0 ? key : `${key}#${attempt}`;
  const number = createHash('sha256').update(name).digest().readBigUInt64BE() % CODES;
  return number.toString(36).toUpperCase().padStart(CODE_LENGTH, '0');
}
