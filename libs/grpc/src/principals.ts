import type { UserPrincipal } from '@saleschannel/auth';
import { forbidden } from '@saleschannel/errors';
import type { Call } from './types.ts';

/** Returns the user of a call whose access rule requires one. */
export function userOf(call: Call): UserPrincipal {
  if (call.principal?.kind !== 'user') throw forbidden();
  return call.principal;
}

/**
 * Returns the sales channel of the calling user. Every query for that user is limited to it.
 * @throws DomainError 'forbidden' for a user without a binding
 */
export function salesChannelOf(call: Call): string {
  const { salesChannelId } = userOf(call);
  if (salesChannelId === undefined) throw forbidden();
  return salesChannelId;
}

/**
 * Returns the account holder of the calling user.
 * @throws DomainError 'forbidden' for a user without an account holder
 */
export function accountHolderOf(call: Call): string {
  const { accountHolderId } = userOf(call);
  if (accountHolderId === undefined) throw forbidden();
  return accountHolderId;
}

/** Returns the owner of a lookup, for fair queueing, and its remaining time. */
export const lookUpOwnerOf = (call: Call): { owner: string; timeoutMs: number } => ({
  owner: call.principal ? readerOf(call) : (call.clientAddress ?? call.caller),
  timeoutMs: call.deadline - Date.now(),
});

/**
 * Returns the owner of reads, for fair queueing: the sales channel of a user, or the account holder of a registry key.
 * A user without a sales channel is an owner of its own. Operators have no principal, and share one owner.
 */
export function readerOf({ principal, caller }: Call): string {
  if (principal === undefined && caller === 'admin') return 'operator';
  if (principal === undefined) throw forbidden();
  if (principal.kind === 'registry') return `registry/${principal.accountHolderId}`;
  return principal.salesChannelId === undefined ? `user/${principal.userId}` : `channel/${principal.salesChannelId}`;
}
