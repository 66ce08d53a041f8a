import { invalidRequest, requestRefused, type FaultCode } from '@saleschannel/errors';
import { oneCalendarYearAfter } from '@saleschannel/primitives';
import { shownText } from '@saleschannel/primitives/validation';

/** A key without its secret. */
export interface Key {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Keys of one owner that are good at the same time: plenty for machines and their rotation, few enough to look at. */
export const ACTIVE_KEYS_AT_MOST = 100;
/** Keys of one owner in all, expired ones included: the list of them has no pages. */
const KEPT_KEYS_AT_MOST = 1_000;

/** How many keys an owner has. */
export interface KeyCount {
  /** Those that have not expired. */
  readonly active: number;
  /** All of them. */
  readonly kept: number;
}

/** What people call a key. */
export const keyName = shownText({ min: 1, max: 100 });

export const INVALID_EXPIRY = 'The expiry of the key is not valid.';

/**
 * The expiry of a registry key lies in the future, at most two calendar years ahead.
 * @throws DomainError 'invalid-request'
 */
export function checkRegistryKeyExpiry(expiresAt: Date, now: Date): void {
  const refused = (detail: string, code: FaultCode) =>
    invalidRequest(INVALID_EXPIRY, [{ pointer: '#/expiresAt', detail, code }]);
  if (expiresAt <= now) throw refused('must be in the future', 'expiry-past');
  if (expiresAt > oneCalendarYearAfter(oneCalendarYearAfter(now)))
    throw refused('must be at most two years ahead', 'expiry-too-far');
}

/** @throws DomainError 'request-refused' for an owner who has as many keys as they may */
export function refuseTooManyKeys({ active, kept }: KeyCount): void {
  if (active >= ACTIVE_KEYS_AT_MOST)
    throw requestRefused(`There are ${active} valid keys already: delete those that are not in use.`);
  if (kept >= KEPT_KEYS_AT_MOST)
    throw requestRefused(`There are ${kept} keys already: delete those that have expired.`);
}
