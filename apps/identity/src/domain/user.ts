import { ID_LENGTH_AT_MOST, plainText } from '@saleschannel/validation';

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

export const issuer = plainText({ min: 1, max: ISSUER_LENGTH_AT_MOST });
export const subject = plainText({ min: 1, max: SUBJECT_LENGTH_AT_MOST });
export const accountHolderId = plainText({ min: 1, max: ID_LENGTH_AT_MOST });
