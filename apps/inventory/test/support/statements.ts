import { compactVerify, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { createHash } from 'node:crypto';

/** What a test holds of a statement, and how a stranger checks it. */

export interface SignedStatement {
  readonly id: string;
  readonly retiredAt: string;
  readonly volume: number;
  readonly certificates: readonly { start: string; end: string; volume: number; certificates: string }[];
  readonly beneficiaryName?: string;
  readonly beneficiaryLocation?: string;
  readonly retirementPurpose?: string;
  readonly signature: string;
}

/** With what is said of it now, which is not signed. */
export interface Statement extends SignedStatement {
  readonly publication: string;
  readonly transactionId: string | null;
  readonly beneficiaryHiddenUntil: string | null;
}

const notSigned = ['publication', 'transactionId', 'beneficiaryHiddenUntil', 'signature'];

/** Keys of statements as the service reads them: a current one, and one of before. */
export async function statementKeys(): Promise<string> {
  const [current, former] = await Promise.all(['k2', 'k1'].map(newKey));
  const { d: _private, ...publicHalf } = former ?? {};
  return JSON.stringify({ current, former: [publicHalf] });
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

/**
 * Checks a statement by nothing but itself and the published keys (RFC 9901 section 7.1).
 * @returns what is signed, with the members that are revealed
 * @throws Error for a statement that is not what was signed
 */
export async function verified(statement: SignedStatement, keys: readonly JWK[]): Promise<Record<string, unknown>> {
  const parts = statement.signature.split('~');
  if (parts.pop() !== '') throw new Error('the signature has no end');
  const [jws = '', ...disclosures] = parts;
  const signature = jws.slice(jws.lastIndexOf('.') + 1);
  // The last character has bits that mean nothing. They must be zero.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) throw new Error('not written so');
  const { kid } = decoded(jws.split('.')[0] ?? '') as { kid: string };
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw new Error('nobody knows the key');
  const { payload } = await compactVerify(jws, await importJWK(key, 'EdDSA'));
  const {
    _sd: digests,
    _sd_alg: _algorithm,
    ...signed
  } = JSON.parse(Buffer.from(payload).toString()) as {
    _sd: string[];
    _sd_alg: string;
  } & Record<string, unknown>;
  for (const disclosure of disclosures) {
    if (!digests.includes(createHash('sha256').update(disclosure).digest('base64url')))
      throw new Error('a member was not signed');
    const [, name, value] = decoded(disclosure) as [string, string, unknown];
    signed[name] = value;
  }
  const unsigned = Object.keys(statement).filter((name) => !(name in signed) && !notSigned.includes(name));
  if (unsigned.length > 0) throw new Error(`${unsigned.join()} is not signed`);
  for (const [name, value] of Object.entries(signed)) {
    const shown = (statement as unknown as Record<string, unknown>)[name];
    if (JSON.stringify(shown) !== JSON.stringify(value)) throw new Error(`${name} is not what was signed`);
  }
  return signed;
}
