import { z } from 'zod';

/** The key of stored hashes. Each row says which version it is hashed under, so that several may be in use. */
export interface Pepper {
  readonly version: number;
  readonly key: Buffer;
}

export interface Peppers {
  /** What new keys are hashed under. */
  readonly current: Pepper;
  readonly byVersion: ReadonlyMap<number, Pepper>;
}

const BYTES_AT_LEAST = 32;
/** What a column of type smallint holds. */
const VERSION_AT_MOST = 32_767;
/** The only version of an installation that has not named any. */
const FIRST_VERSION = 1;
const FORM = /^(?:(?<version>[1-9][0-9]{0,4}):)?(?<key>[A-Za-z0-9+/]+={0,2})$/;

const fault =
  `must be at least ${BYTES_AT_LEAST} random bytes in base64, ` +
  `or a list "<version>:<base64>,…" of such with different versions up to ${VERSION_AT_MOST}`;

const pepper = z.string().transform((text, context): Pepper => {
  const { version = FIRST_VERSION, key: encoded = '' } = FORM.exec(text.trim())?.groups ?? {};
  const parsed = { version: Number(version), key: Buffer.from(encoded, 'base64') };
  if (parsed.key.length < BYTES_AT_LEAST || parsed.version > VERSION_AT_MOST)
    context.issues.push({ code: 'custom', message: fault, input: undefined });
  return parsed;
});

/** One pepper in base64, which is version 1, or a list of versions. The first one is the current one. */
export const peppersSchema = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(pepper))
  .transform((list, context): Peppers => {
    const [current] = list;
    const byVersion = new Map(list.map((one) => [one.version, one]));
    if (current && byVersion.size === list.length) return { current, byVersion };
    context.issues.push({ code: 'custom', message: fault, input: undefined });
    return z.NEVER;
  });
