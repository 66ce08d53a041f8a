import { emailAddress, MAX_ID_LENGTH, name, text } from '@saleschannel/primitives/validation';

const MAX_ISSUER_LENGTH = 500;
/** Limit of OpenID Connect Core section 2. */
const MAX_SUBJECT_LENGTH = 255;

/** A person or program that an issuer identifies by a subject. */
export interface User {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly accountHolderId: string | null;
  /** Since then all credentials are refused. In ISO 8601. Null for an enabled user. */
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** Last use of a valid credential, to within minutes. In ISO 8601. Null for a user who never signed in. */
  readonly lastSeenOn: string | null;
}

/** Claims about a person. A missing claim leaves the stored value. */
export interface Profile {
  readonly email?: { readonly address: string; readonly isVerified: boolean } | undefined;
  readonly name?: string | undefined;
}

/**
 * Reads the claims of OpenID Connect Core section 5.1 that are stored. Malformed claims are skipped rather than
 * refused.
 */
export function parseProfile(claims: Readonly<Record<string, unknown>>): Profile {
  const { data: address } = emailAddress.safeParse(claims['email']);
  const { data: displayName } = name.safeParse(claims['name']);
  return {
    ...(address !== undefined && { email: { address, isVerified: claims['email_verified'] === true } }),
    ...(displayName !== undefined && { name: displayName }),
  };
}

/** Reports whether claims differ from the stored ones. */
export const hasNewClaims = ({ email, name: displayName }: Profile, known: User): boolean =>
  (email !== undefined && (email.address !== known.email || email.isVerified !== known.emailVerified)) ||
  (displayName !== undefined && displayName !== known.name);

/** Claims `iss` and `sub`, which identify a user. */
export type UserClaims = Pick<User, 'issuer' | 'subject'>;

export const issuer = text({ min: 1, max: MAX_ISSUER_LENGTH });
export const subject = text({ min: 1, max: MAX_SUBJECT_LENGTH });
export const accountHolderId = text({ min: 1, max: MAX_ID_LENGTH });
