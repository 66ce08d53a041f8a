import { invalidRequest, requestRefused, DomainError, type FaultCode } from '@saleschannel/errors';
import { addCalendarYear } from '@saleschannel/primitives';
import { shownText } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const UNAUTHENTICATED = 'The credentials are missing, not valid or expired.';

/** The only answer to an invalid credential, for any reason. The caller does not get the cause. */
export const unauthenticated = (cause?: unknown): DomainError =>
  new DomainError('unauthenticated', UNAUTHENTICATED, cause === undefined ? {} : { cause });

/** A key without its secret. */
export interface Key {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Valid keys of one owner: enough for machines and rotation, few enough to review. */
export const MAX_ACTIVE_KEYS = 100;
/** Keys of one owner, including expired ones. Their list has no pages. */
const MAX_KEPT_KEYS = 1_000;

export interface KeyCount {
  /** Not expired. */
  readonly active: number;
  /** Including expired ones. */
  readonly kept: number;
}

export const keyName = shownText({ min: 1, max: 100 });

export const INVALID_EXPIRY = 'The expiry of the key is not valid.';

/**
 * Requires an expiry in the future, at most two calendar years ahead.
 * @throws DomainError 'invalid-request'
 */
export function checkRegistryKeyExpiry(expiresAt: Date, now: Date): void {
  const refused = (detail: string, code: FaultCode) =>
    invalidRequest(INVALID_EXPIRY, [{ pointer: '#/expiresAt', detail, code }]);
  if (expiresAt <= now) throw refused('must be in the future', 'expiry-past');
  if (expiresAt > addCalendarYear(addCalendarYear(now)))
    throw refused('must be at most two years ahead', 'expiry-too-far');
}

/** @throws DomainError 'request-refused' at the limit */
export function refuseTooManyKeys({ active, kept }: KeyCount): void {
  if (active >= MAX_ACTIVE_KEYS)
    throw requestRefused(`The limit of ${MAX_ACTIVE_KEYS} valid keys is reached. Delete unused keys first.`);
  if (kept >= MAX_KEPT_KEYS)
    throw requestRefused(`The limit of ${MAX_KEPT_KEYS} keys is reached. Delete expired keys first.`);
}

/** Key of stored hashes. Each row names its version, so that several versions can be in use. */
interface Pepper {
  readonly version: number;
  readonly key: Buffer;
}

export interface Peppers {
  /** Used for new hashes. */
  readonly current: Pepper;
  readonly byVersion: ReadonlyMap<number, Pepper>;
}

const MIN_PEPPER_BYTES = 32;
/** Limit of a smallint column. */
const MAX_PEPPER_VERSION = 32_767;
/** Version of a pepper without a version. */
const FIRST_PEPPER_VERSION = 1;
const PEPPER_FORM = /^(?:(?<version>[1-9][0-9]{0,4}):)?(?<key>[A-Za-z0-9+/]+={0,2})$/;

const pepperFault =
  `must be at least ${MIN_PEPPER_BYTES} random bytes in base64, ` +
  `or several as "<version>:<base64>,…", with different versions up to ${MAX_PEPPER_VERSION}`;

const pepper = z.string().transform((text, context): Pepper => {
  const { version = FIRST_PEPPER_VERSION, key: encoded = '' } = PEPPER_FORM.exec(text.trim())?.groups ?? {};
  const parsed = { version: Number(version), key: Buffer.from(encoded, 'base64') };
  if (parsed.key.length < MIN_PEPPER_BYTES || parsed.version > MAX_PEPPER_VERSION)
    context.issues.push({ code: 'custom', message: pepperFault, input: undefined });
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
    context.issues.push({ code: 'custom', message: pepperFault, input: undefined });
    return z.NEVER;
  });
