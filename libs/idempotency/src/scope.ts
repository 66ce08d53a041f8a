import type { Call } from '@saleschannel/grpc';

/** Scope of keys shared by all users of a sales channel. */
export const channelScope = (salesChannelId: string): string => `channel/${salesChannelId}`;

/** Scope of keys shared by all users and registry keys of an account holder. */
export const holderScope = (accountHolderId: string): string => `holder/${accountHolderId}`;

/** Owner of an idempotency key: the user, the account holder of a registry key, or the operator. */
export function scopeOf({ principal, operator, caller }: Call): string {
  if (principal?.kind === 'user') return `user/${principal.userId}`;
  if (principal) return holderScope(principal.accountHolderId);
  return operator === undefined ? `program/${caller}` : `operator/${operator}`;
}
