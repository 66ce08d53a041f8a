import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { hashTreeOf, LEAVES_AT_MOST, rootOf } from './hash-tree.ts';

/**
 * Principal tokens that were made at the same time and share one signature: Ed25519 costs more than everything else
 * about a token, once for its maker and once for each of its receivers. Each token stands for itself, with claims and
 * an end of its own, and tells nothing of the others but a few hashes. Written by hand because JOSE signs one text at a
 * time.
 *
 * A token is `<header>.<claims>.<signature>.<path>`, each in base64url. The path leads from header and claims to the
 * root of a hash tree, and the signature is that of the root.
 */

const BATCH_TYPE = 'principal-batch';
const ALGORITHM = 'EdDSA';
/** What is signed begins with it. So no signature of another kind passes for one of a root, nor the other way round. */
const SIGNED_AS = Buffer.from('saleschannel principal batch\0');
/** Roots whose signature was verified. */
const ROOTS_REMEMBERED = 10_000;

type Claims = Readonly<Record<string, unknown>>;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedText = (root: Uint8Array): Buffer => Buffer.concat([SIGNED_AS, root]);

/** @returns one token for each of the claims, in their order */
export type BatchSigner = (claims: readonly Claims[]) => string[];

export function createBatchSigner(privateKey: JWK, kid: string): BatchSigner {
  const key = createPrivateKey({ key: privateKey as Record<string, string>, format: 'jwk' });
  const header = encoded({ alg: ALGORITHM, typ: BATCH_TYPE, kid });
  const signed = (all: readonly Claims[]): string[] => {
    const texts = all.map((claims) => `${header}.${encoded(claims)}`);
    const { root, paths } = hashTreeOf(texts);
    const signature = sign(null, signedText(root), key).toString('base64url');
    return texts.map((text, index) => `${text}.${signature}.${paths[index]?.toString('base64url')}`);
  };
  return (all) => {
    const tokens: string[] = [];
    for (let at = 0; at < all.length; at += LEAVES_AT_MOST) tokens.push(...signed(all.slice(at, at + LEAVES_AT_MOST)));
    return tokens;
  };
}

/** Tells tokens of batches from others by their form. */
export const isOfBatch = (token: string): boolean => token.split('.', 5).length === 4;

/** What a token says, and the name of the key that signed it. */
export interface VerifiedClaims {
  readonly kid: string;
  readonly claims: unknown;
}

/** Reads a token of a batch. @throws Error for anything but a token that one of the keys has signed */
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
    if (alg !== ALGORITHM || typ !== BATCH_TYPE || typeof kid !== 'string' || !key) throw new Error('no such key');
    const root = rootOf(`${header}.${claims}`, Buffer.from(path, 'base64url'));
    if (!root) throw new Error('the path leads nowhere');
    const seal = `${kid} ${root.toString('base64url')} ${signature}`;
    if (!verified.has(seal)) {
      if (!verify(null, signedText(root), key, Buffer.from(signature, 'base64url')))
        throw new Error('the signature is not that of the root');
      verified.set(seal, true);
    }
    return { kid, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) };
  };
}
