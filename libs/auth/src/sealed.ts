import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import { z } from 'zod';

const KEY_BYTES = 32;

/** Keys that seal, the current one first: each 32 bytes in base64url. Others are of before, and only open. */
export const sealingKeys = z.string().transform((text, context): Uint8Array[] => {
  const keys = text.split(',').map((key) => Buffer.from(key.trim(), 'base64url'));
  if (keys.every((key) => key.length === KEY_BYTES)) return keys;
  context.issues.push({
    code: 'custom',
    message: `must be keys of ${KEY_BYTES} bytes in base64url, separated by commas`,
    input: undefined,
  });
  return z.NEVER;
});

const idOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('base64url').slice(0, 8);

/**
 * Seals what somebody else keeps for us, as a browser or a database does, and must neither read nor change: JWE, `dir`, A256GCM. What is sealed for one
 * purpose does not open for another one.
 */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #current: Uint8Array;

  /** @param keys the current one first. @throws Error without any */
  constructor(keys: readonly Uint8Array[]) {
    const [current] = keys;
    if (!current) throw new Error('there is no key to seal with');
    this.#current = current;
    this.#keys = new Map(keys.map((key) => [idOf(key), key]));
  }

  /** Names the key that seals. It tells nothing of the key. */
  get keyId(): string {
    return idOf(this.#current);
  }

  async seal(purpose: string, content: object): Promise<string> {
    return new CompactEncrypt(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: idOf(this.#current), typ: purpose })
      .encrypt(this.#current);
  }

  /** Undefined for what was not sealed here for this purpose, or under a key that is gone, or has another shape. */
  async open<T>(purpose: string, sealed: string, shape: z.ZodType<T>): Promise<T | undefined> {
    try {
      const { plaintext } = await compactDecrypt(
        sealed,
        ({ typ, kid }) => {
          const key = typ === purpose && kid !== undefined ? this.#keys.get(kid) : undefined;
          if (!key) throw new errors.JWEInvalid('is not ours');
          return key;
        },
        { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
      );
      return shape.safeParse(JSON.parse(Buffer.from(plaintext).toString('utf8'))).data;
    } catch (error) {
      // It was tampered with, or is of before a change of keys.
      if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
