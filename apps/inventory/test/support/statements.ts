import { createHash } from 'node:crypto';
import { compactVerify, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

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

/** A statement with its members that are not signed. */
export interface Statement extends SignedStatement {
  readonly publication: string;
  readonly transactionId: string | null;
  readonly beneficiaryHiddenUntil: string | null;
}

const notSigned = ['publication', 'transactionId', 'beneficiaryHiddenUntil', 'signature'];

/** The variable STATEMENT_KEYS, with a current and a former key. */
export async function createStatementKeys(): Promise<string> {
  const [current, former] = await Promise.all(['k2', 'k1'].map(createKey));
  const { d: _private, ...publicHalf } = former ?? {};
  return JSON.stringify({ current, former: [publicHalf] });
}

async function createKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}

const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

/**
 * Verifies a statement with the published keys (RFC 9901 section 7.1).
 * @returns the signed members and the revealed ones
 * @throws Error for a statement that differs from the signed one
 */
export async function verify(statement: SignedStatement, keys: readonly JWK[]): Promise<Record<string, unknown>> {
  const parts = statement.signature.split('~');
  if (parts.pop() !== '') throw new Error('the signature has no end');
  const [jws = '', ...disclosures] = parts;
  const signature = jws.slice(jws.lastIndexOf('.') + 1);
  // Unused bits of the last character must be zero.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature)
    throw new Error('the signature is not canonical');
  const { kid } = decode(jws.split('.')[0] ?? '') as { kid: string };
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw new Error('the key is unknown');
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
    const [, name, value] = decode(disclosure) as [string, string, unknown];
    signed[name] = value;
  }
  const unsigned = Object.keys(statement).filter((name) => !(name in signed) && !notSigned.includes(name));
  if (unsigned.length > 0) throw new Error(`${unsigned.join()} is not signed`);
  for (const [name, value] of Object.entries(signed)) {
    const shown = (statement as unknown as Record<string, unknown>)[name];
    if (JSON.stringify(shown) !== JSON.stringify(value)) throw new Error(`${name} differs from the signed value`);
  }
  return signed;
}
