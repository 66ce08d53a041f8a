import { createHash } from 'node:crypto';
import type { Role } from '@saleschannel/auth';
import { requestRefused } from '@saleschannel/errors';
import { emailAddress } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import { inOrder, role } from './binding.ts';

/** An invitation without its token. Times are ISO 8601. */
export interface Invitation {
  readonly id: string;
  readonly salesChannelId: string;
  /** Only a user with this verified address can accept it. Null: whoever has the token can. */
  readonly email: string | null;
  readonly roles: Role[];
  readonly createdOn: string;
  readonly expiresAt: string;
  readonly createdBy: string;
  readonly status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  readonly acceptedBy: string | null;
}

/** Long enough for a weekend, short enough for a link in a mail box. */
export const INVITATION_HOURS = 72;
/** Colleagues who are about to come. */
const PENDING_AT_MOST = 100;
/** How long an invitation is kept after its end, for those who wonder what became of it. */
export const INVITATIONS_KEPT_DAYS = 30;
/** What a channel makes in that time is the longest list of invitations. */
export const INVITATIONS_KEPT_AT_MOST = 1_000;

const ROLES_AT_MOST = 100;

export const newInvitation = z.object({
  email: emailAddress.optional(),
  roles: z.array(role).min(1).max(ROLES_AT_MOST).transform(inOrder),
});

export type NewInvitation = z.output<typeof newInvitation>;

/** What is kept of a token. It is fast on purpose: there is nothing to guess in 256 random bits. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** @throws DomainError 'request-refused' for a channel that has as many as it may */
export function refuseTooManyInvitations({ pending, kept }: { pending: number; kept: number }): void {
  if (pending >= PENDING_AT_MOST)
    throw requestRefused(`There are ${pending} pending invitations already: revoke those that nobody needs.`);
  if (kept >= INVITATIONS_KEPT_AT_MOST)
    throw requestRefused(`There were ${kept} invitations in the last ${INVITATIONS_KEPT_DAYS} days already.`);
}

/** Of a user, what an invitation asks for. */
export interface Invited {
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
}

/** Whether a user is whom an invitation is for. An address that nobody has verified says nothing. */
export const isFor = ({ email }: Pick<Invitation, 'email'>, user: Invited): boolean =>
  email === null || (user.emailVerified === true && user.email?.toLowerCase() === email.toLowerCase());
