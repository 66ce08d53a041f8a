import { DomainError } from '@saleschannel/errors';

const DETAIL = 'The credentials are missing, not valid or expired.';

/** The one answer to each credential that is not good, whatever is wrong with it. The caller does not get the cause. */
export const unauthenticated = (cause?: unknown): DomainError =>
  new DomainError('unauthenticated', DETAIL, cause === undefined ? {} : { cause });

/** Whether the credential is good cannot be told now: never an answer about the credential. */
export const cannotTell = (cause: unknown): DomainError =>
  new DomainError('unavailable', 'A part of the service cannot be reached at the moment.', {
    retryAfterSeconds: 2,
    cause,
  });
