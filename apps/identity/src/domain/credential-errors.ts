import { DomainError } from '@saleschannel/errors';

const DETAIL = 'The credentials are missing, not valid or expired.';

/** The only answer to an invalid credential, for any reason. The caller does not get the cause. */
export const unauthenticated = (cause?: unknown): DomainError =>
  new DomainError('unauthenticated', DETAIL, cause === undefined ? {} : { cause });
