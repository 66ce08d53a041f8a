import type { Call } from '@saleschannel/grpc';

/** Returns the scope of keys that all users of a sales channel share. */
export const channelScope = (salesChannelId: string): string => `channel/${salesChannelId}`;

/** Returns the scope of keys that all users and registry keys of an account holder share. */
export const holderScope = (accountHolderId: string): string => `holder/${accountHolderId}`;

/** Returns the owner of a call's idempotency key: the user, account holder of a registry key, operator or program. */
export function scopeOf({ principal, operator, caller }: Call): string {
  if (principal?.kind === 'user') return `user/${principal.userId}`;
  if (principal) return holderScope(principal.accountHolderId);
  return operator === undefined ? `program/${caller}` : `operator/${operator}`;
}
