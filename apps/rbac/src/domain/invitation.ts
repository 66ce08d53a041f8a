import { createHash } from 'node:crypto';
import type { Role } from '@saleschannel/auth';
import { requestRefused } from '@saleschannel/errors';
import { emailAddress } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { role, sortRoles } from './sales-channel.ts';

/** An invitation without its token. Times are in ISO 8601. */
export interface Invitation {
  readonly id: string;
  readonly salesChannelId: string;
  /** Only a user with this verified address can accept it. Null for any holder of the token. */
  readonly email: string | null;
  readonly roles: Role[];
  readonly createdOn: string;
  readonly expiresAt: string;
  readonly createdBy: string;
  readonly status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  readonly acceptedBy: string | null;
}

/** Lifetime: spans a weekend, but a link in a mailbox expires soon. */
export const INVITATION_HOURS = 72;
const MAX_PENDING = 100;
/** Retention after the expiry of an invitation. */
export const INVITATIONS_KEPT_DAYS = 30;
/** Stored invitations of a channel, and so the longest list. */
export const MAX_KEPT_INVITATIONS = 1_000;

const MAX_ROLES = 100;

export const newInvitation = z.object({
  email: emailAddress.optional(),
  roles: z.array(role).min(1).max(MAX_ROLES).transform(sortRoles),
});

export type NewInvitation = z.output<typeof newInvitation>;

/** A fast hash suffices, because a token has 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** @throws DomainError 'request-refused' at the limit */
export function refuseTooManyInvitations({ pending, kept }: { pending: number; kept: number }): void {
  if (pending >= MAX_PENDING)
    throw requestRefused(
      `The sales channel has ${pending} pending invitations, which is the limit. Revoke unused ones first.`,
    );
  if (kept >= MAX_KEPT_INVITATIONS)
    throw requestRefused(
      `The sales channel has ${kept} invitations, which is the limit. ` +
        `They are deleted ${INVITATIONS_KEPT_DAYS} days after they expire.`,
    );
}

/** Address of a user. */
export interface Invitee {
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
}

/** Reports whether a user may accept an invitation. Unverified addresses do not count. */
export const isAddressedTo = ({ email }: Pick<Invitation, 'email'>, user: Invitee): boolean =>
  email === null || (user.emailVerified === true && user.email?.toLowerCase() === email.toLowerCase());
