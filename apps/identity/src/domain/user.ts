import { ID_LENGTH_AT_MOST, text } from '@saleschannel/validation';

const ISSUER_LENGTH_AT_MOST = 500;
/** OpenID Connect Core section 2. */
const SUBJECT_LENGTH_AT_MOST = 255;

/** A user: whoever the issuer calls by this subject. */
export interface User {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly accountHolderId: string | null;
  /** Since when none of their credentials is good. ISO 8601. Null for a user who may sign in. */
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
}

/** The claims `iss` and `sub` by which access tokens name a user. */
export type UserClaims = Pick<User, 'issuer' | 'subject'>;

export const issuer = text({ min: 1, max: ISSUER_LENGTH_AT_MOST });
export const subject = text({ min: 1, max: SUBJECT_LENGTH_AT_MOST });
export const accountHolderId = text({ min: 1, max: ID_LENGTH_AT_MOST });
