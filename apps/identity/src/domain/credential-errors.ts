import { DomainError } from '@saleschannel/errors';

const DETAIL = 'The credentials are missing, not valid or expired.';

/** The one answer to each credential that is not good, whatever is wrong with it. The caller does not get the cause. */
export const unauthenticated = (cause?: unknown): DomainError =>
  new DomainError('unauthenticated', DETAIL, cause === undefined ? {} : { cause });
