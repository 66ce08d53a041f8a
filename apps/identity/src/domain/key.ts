import { invalidRequest, requestRefused, type FaultCode } from '@saleschannel/errors';
import { oneCalendarYearAfter } from '@saleschannel/primitives';
import { shownText } from '@saleschannel/primitives/validation';

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
  if (expiresAt > oneCalendarYearAfter(oneCalendarYearAfter(now)))
    throw refused('must be at most two years ahead', 'expiry-too-far');
}

/** @throws DomainError 'request-refused' at the limit */
export function refuseTooManyKeys({ active, kept }: KeyCount): void {
  if (active >= MAX_ACTIVE_KEYS)
    throw requestRefused(`The limit of ${MAX_ACTIVE_KEYS} valid keys is reached. Delete unused keys first.`);
  if (kept >= MAX_KEPT_KEYS)
    throw requestRefused(`The limit of ${MAX_KEPT_KEYS} keys is reached. Delete expired keys first.`);
}
