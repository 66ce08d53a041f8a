import type { UserPrincipal } from '@saleschannel/auth';
import { forbidden } from '@saleschannel/errors';
import type { Call } from './types.ts';

/** The user of a call whose access rule asks for one. */
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

/** The account holder of the calling user. @throws DomainError 'forbidden' for a user who belongs to none */
export function accountHolderOf(call: Call): string {
  const { accountHolderId } = userOf(call);
  if (accountHolderId === undefined) throw forbidden();
  return accountHolderId;
}

/** Who shares what there is with the asker of a look-up, and until when they wait for its answer. */
export const askerOf = (call: Call): { owner: string; timeoutMs: number } => ({
  owner: call.principal ? readerOf(call) : (call.clientAddress ?? call.caller),
  timeoutMs: call.deadline - Date.now(),
});

/**
 * Whose reads these are, where many readers share what there is: of a user the sales channel, of a registry key the
 * account holder. A user of no channel reads alone. Operators need no principal, and are one reader.
 */
export function readerOf({ principal, caller }: Call): string {
  if (principal === undefined && caller === 'admin') return 'operator';
  if (principal === undefined) throw forbidden();
  if (principal.kind === 'registry') return `registry/${principal.accountHolderId}`;
  return principal.salesChannelId === undefined ? `user/${principal.userId}` : `channel/${principal.salesChannelId}`;
}
