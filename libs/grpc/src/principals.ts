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

/**
 * Whose reads these are, where many readers share what there is: of a user the sales channel, of a registry key the
 * account holder.
 */
export function readerOf({ principal }: Call): string {
  if (principal === undefined) throw forbidden();
  return principal.kind === 'registry'
    ? `registry/${principal.accountHolderId}`
    : `channel/${principal.salesChannelId}`;
}
