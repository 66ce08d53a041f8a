import { roles, type Role } from '@saleschannel/auth';
import { requestRefused, notFound } from '@saleschannel/errors';
import { name, reason, idToFind } from '@saleschannel/primitives/validation';
import { z } from 'zod';

export interface NamedSalesChannel {
  readonly id: string;
  readonly name: string;
}

export interface SalesChannel extends NamedSalesChannel {
  /** A SUSPENDED channel is read-only. */
  readonly status: 'ACTIVE' | 'SUSPENDED';
  /** In ISO 8601. Null unless it is suspended. */
  readonly suspendedAt: string | null;
  readonly suspendedReason: string | null;
  /** In ISO 8601. Null unless it is closed for good. A closed channel is SUSPENDED. */
  readonly closedAt: string | null;
  readonly closedReason: string | null;
}

/**
 * Minimum suspension before a channel can be closed. A suspension takes effect everywhere within five seconds, and
 * requests accepted before it may reach the ledger until their deadlines, ten seconds at most. Only later counts are
 * final.
 */
export const CLOSE_AFTER_SUSPENSION_MS = 30_000;

export const newSalesChannel = z.object({ name });

export const renameRequest = z.object({ salesChannelId: z.string(), name, reason });

/** Suspension or closing by an operator. */
export const suspensionRequest = z.object({ salesChannelId: z.string(), reason });

/** Refuses changes of a closed channel. @throws DomainError 'request-refused' */
export function refuseClosed({ closedAt }: SalesChannel): void {
  if (closedAt === null) return;
  throw requestRefused('The sales channel is closed for good.', [
    {
      parameter: 'salesChannelId',
      code: 'sales-channel-closed',
      detail: `names a sales channel closed on ${closedAt}`,
    },
  ]);
}

/** A user of a sales channel. */
export interface BindingKey {
  readonly userId: string;
  readonly salesChannelId: string;
}

export interface Binding extends BindingKey {
  readonly roles: Role[];
}

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
