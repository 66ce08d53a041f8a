import { createPrivateKey, createPublicKey, sign, verify, type KeyObject, hash } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';
import { LRUCache } from 'lru-cache';

/**
 * Merkle tree of SHA-256 hashes, for one signature over many texts. The root is signed. Each text carries its path: the
 * hashes that lead from its leaf to the root. Leaves and nodes have different prefixes (RFC 6962 section 2.1), so that
 * neither passes for the other.
 */

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
const HASH_BYTES = 32;
/** Side and hash of the sibling. */
const STEP_BYTES = 1 + HASH_BYTES;
const LEFT = 0;
const RIGHT = 1;
/** Allows 1,024 leaves. */
const STEPS_AT_MOST = 10;
const LEAVES_AT_MOST = 2 ** STEPS_AT_MOST;

const hashLeaf = (text: string): Buffer => hash('sha256', Buffer.concat([LEAF, Buffer.from(text)]), 'buffer');

const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

interface HashTree {
  readonly root: Buffer;
  readonly paths: readonly Buffer[];
}

/** @throws RangeError without texts, or with too many */
function buildHashTree(texts: readonly string[]): HashTree {
  if (texts.length === 0 || texts.length > LEAVES_AT_MOST)
    throw new RangeError(`A hash tree must have 1 to ${LEAVES_AT_MOST} texts, not ${texts.length}.`);
  const paths: Buffer[][] = texts.map(() => []);
  let level = texts.map((text, index) => ({ node: hashLeaf(text), leaves: [index] }));
  while (level.length > 1) {
    const above: typeof level = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = [level[index], level[index + 1]];
      if (!left) break;
      // An odd node moves up unchanged.
      if (!right) above.push(left);
      else {
        for (const leaf of left.leaves) paths[leaf]?.push(Buffer.of(RIGHT), right.node);
        for (const leaf of right.leaves) paths[leaf]?.push(Buffer.of(LEFT), left.node);
        above.push({ node: hashNode(left.node, right.node), leaves: [...left.leaves, ...right.leaves] });
      }
    }
    level = above;
  }
  return { root: level[0]?.node ?? Buffer.alloc(0), paths: paths.map((steps) => Buffer.concat(steps)) };
}

/** Computes the root from a text and its path. Undefined for a malformed path. */
function computeRoot(text: string, path: Uint8Array): Buffer | undefined {
  if (path.length % STEP_BYTES !== 0 || path.length > STEPS_AT_MOST * STEP_BYTES) return undefined;
  let node = hashLeaf(text);
  for (let at = 0; at < path.length; at += STEP_BYTES) {
    const sibling = path.subarray(at + 1, at + STEP_BYTES);
    if (path[at] === RIGHT) node = hashNode(node, sibling);
    else if (path[at] === LEFT) node = hashNode(sibling, node);
    else return undefined;
  }
  return node;
}

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
