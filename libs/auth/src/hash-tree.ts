import { hash } from 'node:crypto';

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
export const LEAVES_AT_MOST = 2 ** STEPS_AT_MOST;

const hashLeaf = (text: string): Buffer => hash('sha256', Buffer.concat([LEAF, Buffer.from(text)]), 'buffer');

const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

export interface HashTree {
  readonly root: Buffer;
  readonly paths: readonly Buffer[];
}

/** @throws RangeError without texts, or with too many */
export function buildHashTree(texts: readonly string[]): HashTree {
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
export function computeRoot(text: string, path: Uint8Array): Buffer | undefined {
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
