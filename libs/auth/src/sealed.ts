import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, errors } from 'jose';
import { z } from 'zod';

const KEY_BYTES = 32;

/** Sealing keys, each 32 bytes in base64url. The first encrypts. Older keys only decrypt. */
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
 * Encrypts values that a browser or a database stores, as JWE (`dir`, A256GCM). A value sealed for one purpose does not
 * open for another.
 */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #current: Uint8Array;

  /** @param keys current key first. @throws Error without keys */
  constructor(keys: readonly Uint8Array[]) {
    const [current] = keys;
    if (!current) throw new Error('At least one sealing key is required.');
    this.#current = current;
    this.#keys = new Map(keys.map((key) => [idOf(key), key]));
  }

  /** Id of the current key. Reveals nothing about the key. */
  get keyId(): string {
    return idOf(this.#current);
  }

  async seal(purpose: string, content: object): Promise<string> {
    return new CompactEncrypt(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: idOf(this.#current), typ: purpose })
      .encrypt(this.#current);
  }

  /** Decrypts a value. Undefined if purpose, key or shape do not match. */
  async open<T>(purpose: string, sealed: string, shape: z.ZodType<T>): Promise<T | undefined> {
    try {
      const { plaintext } = await compactDecrypt(
        sealed,
        ({ typ, kid }) => {
          const key = typ === purpose && kid !== undefined ? this.#keys.get(kid) : undefined;
          if (!key) throw new errors.JWEInvalid('The value has another purpose or an unknown key.');
          return key;
        },
        { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
      );
      return shape.safeParse(JSON.parse(Buffer.from(plaintext).toString('utf8'))).data;
    } catch (error) {
      // Tampered with, or sealed with a key that was removed.
      if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
