import type { UserPrincipal } from '@saleschannel/auth';
import { forbidden } from '@saleschannel/errors';
import type { Call } from './types.ts';

/** The user of a call whose access rule requires one. */
export function userOf(call: Call): UserPrincipal {
  if (call.principal?.kind !== 'user') throw forbidden();
  return call.principal;
}

/**
 * The sales channel of the calling user. Every query made for them is limited to it.
 * @throws DomainError 'forbidden' for a user without a binding
 */
export function salesChannelOf(call: Call): string {
  const { salesChannelId } = userOf(call);
  if (salesChannelId === undefined) throw forbidden();
  return salesChannelId;
}

/**
 * The account holder of the calling user.
 * @throws DomainError 'forbidden' for a user without one
 */
export function accountHolderOf(call: Call): string {
  const { accountHolderId } = userOf(call);
  if (accountHolderId === undefined) throw forbidden();
  return accountHolderId;
}

/** Owner of a lookup, for fair queueing, and its remaining time. */
export const lookUpOwnerOf = (call: Call): { owner: string; timeoutMs: number } => ({
  owner: call.principal ? readerOf(call) : (call.clientAddress ?? call.caller),
  timeoutMs: call.deadline - Date.now(),
});

/**
 * Owner of reads, for fair queueing: the sales channel of a user, the account holder of a registry key. A user without
 * a channel is an owner alone. Operators need no principal, and are one owner.
 */
export function readerOf({ principal, caller }: Call): string {
  if (principal === undefined && caller === 'admin') return 'operator';
  if (principal === undefined) throw forbidden();
  if (principal.kind === 'registry') return `registry/${principal.accountHolderId}`;
  return principal.salesChannelId === undefined ? `user/${principal.userId}` : `channel/${principal.salesChannelId}`;
}
