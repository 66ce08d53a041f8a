import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { buildHashTree, LEAVES_AT_MOST, computeRoot } from './hash-tree.ts';

/**
 * Signs all principal tokens that are issued at the same time with one signature, because Ed25519 costs more than the
 * rest of a token, both for the issuer and for each receiver. Each token has its own claims and expiry, and reveals
 * only a few hashes of the others. No library does this: JOSE signs one text at a time.
 *
 * A token is `<header>.<claims>.<signature>.<path>`, each in base64url. The path leads from header and claims to the
 * root of a hash tree, which is signed.
 */

const BATCH_TYPE = 'principal-batch';
const ALGORITHM = 'EdDSA';
/** Prefix of signed roots, so that signatures of other kinds cannot pass for those of a root, nor the reverse. */
const SIGNED_AS = Buffer.from('saleschannel principal batch\0');
const ROOTS_REMEMBERED = 10_000;

type Claims = Readonly<Record<string, unknown>>;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedText = (root: Uint8Array): Buffer => Buffer.concat([SIGNED_AS, root]);

/** Returns one token for each of the claims, in the same order. */
export type BatchSigner = (claims: readonly Claims[]) => string[];

export function createBatchSigner(privateKey: JWK, kid: string): BatchSigner {
  const key = createPrivateKey({ key: privateKey as Record<string, string>, format: 'jwk' });
  const header = encoded({ alg: ALGORITHM, typ: BATCH_TYPE, kid });
  const signed = (all: readonly Claims[]): string[] => {
    const texts = all.map((claims) => `${header}.${encoded(claims)}`);
    const { root, paths } = buildHashTree(texts);
    const signature = sign(null, signedText(root), key).toString('base64url');
    return texts.map((text, index) => `${text}.${signature}.${paths[index]?.toString('base64url')}`);
  };
  return (all) => {
    const tokens: string[] = [];
    for (let at = 0; at < all.length; at += LEAVES_AT_MOST) tokens.push(...signed(all.slice(at, at + LEAVES_AT_MOST)));
    return tokens;
  };
}

/** Whether a token has the form of a token of a batch. */
export const isBatchToken = (token: string): boolean => token.split('.', 5).length === 4;

/** Claims of a token, and the id of the key that signed it. */
export interface VerifiedClaims {
  readonly kid: string;
  readonly claims: unknown;
}

/** Verifies a token of a batch. @throws Error unless one of the keys signed it */
export type BatchVerifier = (token: string) => VerifiedClaims;

export function createBatchVerifier(publicKeys: JSONWebKeySet): BatchVerifier {
  const keys = new Map<string, KeyObject>();
  for (const key of publicKeys.keys)
    if (key.kid !== undefined)
      keys.set(key.kid, createPublicKey({ key: key as Record<string, string>, format: 'jwk' }));
  const verified = new LRUCache<string, true>({ max: ROOTS_REMEMBERED });
  return (token) => {
    const [header = '', claims = '', signature = '', path = ''] = token.split('.', 4);
    const { alg, typ, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
    const key = typeof kid === 'string' ? keys.get(kid) : undefined;
    if (alg !== ALGORITHM || typ !== BATCH_TYPE || typeof kid !== 'string' || !key)
      throw new Error('The key is unknown.');
    const root = computeRoot(`${header}.${claims}`, Buffer.from(path, 'base64url'));
    if (!root) throw new Error('The path is malformed.');
    const seal = `${kid} ${root.toString('base64url')} ${signature}`;
    if (!verified.has(seal)) {
      if (!verify(null, signedText(root), key, Buffer.from(signature, 'base64url')))
        throw new Error('The signature does not match the root.');
      verified.set(seal, true);
    }
    return { kid, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
  };
}
