import { roles, type Role } from '@saleschannel/auth';
import { notFound, requestRefused } from '@saleschannel/errors';
import { idToFind } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** Which user of which sales channel a change is about. */
export interface Target {
  readonly userId: string;
  readonly salesChannelId: string;
}

/** What a user may do, and on which sales channel. */
export interface Binding extends Target {
  readonly roles: Role[];
}

/** Of a channel that is replaced: all of them are moved in one transaction. */
export const BINDINGS_MOVED_AT_MOST = 1_000;

/** Of a channel that is closed: they end in one transaction, so many with each statement. */
export const BINDINGS_ENDED_AT_ONCE = 1_000;

export const role = z.enum(roles);

/** A role that a request gives to a user or takes from them. */
export const roleChange = z.object({ userId: z.string(), salesChannelId: z.string(), role });

/** In the order of the API's enumeration, so that the same roles always look the same. */
export const inOrder = (held: readonly string[]): Role[] => roles.filter((known) => held.includes(known));

/**
 * A user of the caller's own channel. Of any other channel the caller learns nothing.
 * @throws DomainError 'not-found' when the request names another channel, or a user whom no id can name
 */
export function targetIn(ownChannelId: string, { userId, salesChannelId }: Target): Target {
  if (salesChannelId !== ownChannelId) throw notFound();
  return { userId: idToFind(userId), salesChannelId };
}

/**
 * A channel without an administrator could never get one again by itself.
 * @param administrators of the channel, the user among them or not
 * @throws DomainError 'request-refused'
 */
export function refuseLastAdministrator(userId: string, administrators: readonly string[]): void {
  if (administrators.length > 1 || !administrators.includes(userId)) return;
  throw requestRefused('The user is the last ROLE_ADMINISTRATOR of the sales channel: make another user one first.');
}
