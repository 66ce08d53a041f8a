import { invalidRequest, requestRefused } from '@saleschannel/errors';
import { oneCalendarYearAfter } from '@saleschannel/primitives';
import { z } from 'zod';

/** Keys of one owner that are good at the same time: plenty for machines and their rotation, few enough to look through. */
export const ACTIVE_KEYS_AT_MOST = 100;
/** Keys of one owner in all, expired ones included: the list of them has no pages. */
export const KEPT_KEYS_AT_MOST = 1_000;

const dateTime = z.iso.datetime({ offset: true });

/**
 * The chosen expiry of a registry key: in the future, at most two calendar years ahead.
 * @throws DomainError 'invalid-request'
 */
export function registryKeyExpiry(text: string, now: Date): Date {
  const refused = (detail: string, code: string) =>
    invalidRequest('The expiry of the key is not valid.', [{ pointer: '#/expiresAt', detail, code }]);
  if (!dateTime.safeParse(text).success)
    throw refused('must be a date-time with an offset, such as 2030-01-31T12:00:00Z', 'date-time-form');
  const expiresAt = new Date(text);
  if (expiresAt <= now) throw refused('must be in the future', 'expiry-past');
  if (expiresAt > oneCalendarYearAfter(oneCalendarYearAfter(now)))
    throw refused('must be at most two years ahead', 'expiry-too-far');
  return expiresAt;
}

/** @throws DomainError 'request-refused' for an owner who has as many keys as he may */
export function refuseTooManyKeys(count: { active: number; kept: number }): void {
  const { active, kept } = count;
  if (active >= ACTIVE_KEYS_AT_MOST)
    throw requestRefused(`There are ${active} valid keys already: delete those that are not in use.`);
  if (kept >= KEPT_KEYS_AT_MOST)
    throw requestRefused(`There are ${kept} keys already: delete those that have expired.`);
}
