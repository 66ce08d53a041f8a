import { emailAddress, ID_LENGTH_AT_MOST, name, text } from '@saleschannel/primitives/validation';

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
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** When one of their credentials was good last, within minutes. ISO 8601. Null for a user who was never seen. */
  readonly lastSeenOn: string | null;
}

/** What a token says of its user beside who they are. A token that says nothing of one takes nothing away. */
export interface Profile {
  readonly email?: { readonly address: string; readonly isVerified: boolean } | undefined;
  readonly name?: string | undefined;
}

/**
 * The claims of OpenID Connect Core section 5.1 that are kept. What does not have the right form is left out: no user
 * is refused for how their provider spells them.
 */
export function profileOf(claims: Readonly<Record<string, unknown>>): Profile {
  const { data: address } = emailAddress.safeParse(claims['email']);
  const { data: called } = name.safeParse(claims['name']);
  return {
    ...(address !== undefined && { email: { address, isVerified: claims['email_verified'] === true } }),
    ...(called !== undefined && { name: called }),
  };
}

/** Whether a token says something else of a user than what is kept. */
export const isNews = ({ email, name: called }: Profile, known: User): boolean =>
  (email !== undefined && (email.address !== known.email || email.isVerified !== known.emailVerified)) ||
  (called !== undefined && called !== known.name);

/** The claims `iss` and `sub` by which access tokens name a user. */
export type UserClaims = Pick<User, 'issuer' | 'subject'>;

export const issuer = text({ min: 1, max: ISSUER_LENGTH_AT_MOST });
export const subject = text({ min: 1, max: SUBJECT_LENGTH_AT_MOST });
export const accountHolderId = text({ min: 1, max: ID_LENGTH_AT_MOST });
