import { CompactSign, importJWK, type JWK } from 'jose';
import { z } from 'zod';

/** An Ed25519 key (RFC 8037 section 2) with an id. `d` is its private half. */
const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().min(1),
  kid: z.string().min(1),
});

const keySet = z.object({
  current: publicKey.extend({ d: z.string().min(1) }),
  former: z.array(publicKey),
});

/**
 * The signing key of statements, and all former keys, whose signatures stay valid. JSON:
 * `{"current": <private JWK>, "former": [<public JWK>, …]}`.
 */
export const statementKeysSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'must be JSON', input: undefined });
      return z.NEVER;
    }
  })
  .pipe(keySet);

export type StatementKeys = z.output<typeof keySet>;

const ALGORITHM = 'EdDSA';
const TYPE = 'retirement-statement+sd-jwt';

/** Signs statements. Signatures with one key are deterministic (RFC 8032). */
export class StatementSigner {
  readonly #key: Awaited<ReturnType<typeof importJWK>>;
  readonly #keys: StatementKeys;

  private constructor(keys: StatementKeys, key: Awaited<ReturnType<typeof importJWK>>) {
    this.#keys = keys;
    this.#key = key;
  }

  static async create(keys: StatementKeys): Promise<StatementSigner> {
    return new StatementSigner(keys, await importJWK(keys.current, ALGORITHM));
  }

  /** @returns a JWS in compact form (RFC 7515) */
  sign(payload: string): Promise<string> {
    const header = { alg: ALGORITHM, typ: TYPE, kid: this.#keys.current.kid };
    return new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(this.#key);
  }

  /** All keys that ever signed statements, without their private halves. */
  get publicKeys(): { keys: JWK[] } {
    const { current, former } = this.#keys;
    return {
      keys: [current, ...former].map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, alg: ALGORITHM, use: 'sig' })),
    };
  }
}
