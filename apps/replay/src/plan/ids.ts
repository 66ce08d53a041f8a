import { createHash } from 'node:crypto';

/** Namespace of this tool's issuance ids (RFC 9562 §6.6): a constant, for equal files must give equal ids. */
const NAMESPACE = Buffer.from('d1f0b8a6c9e44d0b8a5e3f7c21904b6e', 'hex');
const CODE_LENGTH = 6;
const CODES = 36n ** BigInt(CODE_LENGTH);

function uuidVersion5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A UUID (version 5) that is the same whenever this batch of this registry is read. */
export const issuanceIdOf = (registry: string, batch: string): string =>
  uuidVersion5(JSON.stringify([registry, batch]));

/** 43 letters, digits, underscores and hyphens that name one step on one issuance: a repeated run sends the same key. */
export const idempotencyKeyOf = (
  ...parts: readonly [registry: string, batch: string, start: string, end: string, kind: string]
): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

const codeFor = (key: string, attempt: number): string => {
  const digest = createHash('sha256')
    .update(attempt === 0 ? key : `${key}#${attempt}`)
    .digest();
  return (digest.readBigUInt64BE() % CODES).toString(36).toUpperCase().padStart(CODE_LENGTH, '0');
};

/** A code of six letters and digits for each key; keys whose codes collide get the next one of their row. */
export function facilityCodesOf(keys: Iterable<string>, code: typeof codeFor = codeFor): Map<string, string> {
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
