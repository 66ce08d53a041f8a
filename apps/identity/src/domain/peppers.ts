import { z } from 'zod';

/** Key of stored hashes. Each row names its version, so that several versions can be in use. */
export interface Pepper {
  readonly version: number;
  readonly key: Buffer;
}

export interface Peppers {
  /** Used for new hashes. */
  readonly current: Pepper;
  readonly byVersion: ReadonlyMap<number, Pepper>;
}

const MIN_BYTES = 32;
/** Limit of a smallint column. */
const MAX_VERSION = 32_767;
/** Version of a pepper without a version. */
const FIRST_VERSION = 1;
const FORM = /^(?:(?<version>[1-9][0-9]{0,4}):)?(?<key>[A-Za-z0-9+/]+={0,2})$/;

const fault =
  `must be at least ${MIN_BYTES} random bytes in base64, ` +
  `or several as "<version>:<base64>,…", with different versions up to ${MAX_VERSION}`;

const pepper = z.string().transform((text, context): Pepper => {
  const { version = FIRST_VERSION, key: encoded = '' } = FORM.exec(text.trim())?.groups ?? {};
  const parsed = { version: Number(version), key: Buffer.from(encoded, 'base64') };
  if (parsed.key.length < MIN_BYTES || parsed.version > MAX_VERSION)
    context.issues.push({ code: 'custom', message: fault, input: undefined });
  return parsed;
});

/** Parses one pepper in base64, which is version 1, or a list of versions whose first is the current one. */
export const peppersSchema = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(pepper))
  .transform((list, context): Peppers => {
    const [current] = list;
    const byVersion = new Map(list.map((each) => [each.version, each]));
    if (current && byVersion.size === list.length) return { current, byVersion };
    context.issues.push({ code: 'custom', message: fault, input: undefined });
    return z.NEVER;
  });
