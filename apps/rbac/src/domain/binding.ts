import { roles, type Role } from '@saleschannel/auth';
import { notFound, requestRefused } from '@saleschannel/errors';
import { idToFind } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** A user of a sales channel. */
export interface BindingKey {
  readonly userId: string;
  readonly salesChannelId: string;
}

export interface Binding extends BindingKey {
  readonly roles: Role[];
}

/** Bindings of a replaced channel, which move in one transaction. */
export const MAX_MOVED_BINDINGS = 1_000;

/** Bindings of a closed channel that one statement deletes. */
export const ENDED_BINDINGS_PER_STATEMENT = 1_000;

export const role = z.enum(roles);

export const roleChange = z.object({ userId: z.string(), salesChannelId: z.string(), role });

/** Sorts roles in the order of the API's enumeration, and omits unknown ones. */
export const sortRoles = (held: readonly string[]): Role[] => roles.filter((known) => held.includes(known));

/**
 * Reads a user of the caller's own channel.
 * @throws DomainError 'not-found' for another channel, so that the caller learns nothing about it
 */
export function parseBindingKey(ownChannelId: string, { userId, salesChannelId }: BindingKey): BindingKey {
  if (salesChannelId !== ownChannelId) throw notFound();
  return { userId: idToFind(userId), salesChannelId };
}

/**
 * Keeps a channel from losing its last administrator, since only an administrator can add another.
 * @param administrators up to two administrators of the channel
 * @throws DomainError 'request-refused'
 */
export function refuseLastAdministrator(userId: string, administrators: readonly string[]): void {
  if (administrators.length > 1 || !administrators.includes(userId)) return;
  throw requestRefused(
    'The user is the last ROLE_ADMINISTRATOR of the sales channel. Grant the role to another user first.',
  );
}
