import type { Call } from '@saleschannel/grpc';

/** Owner of an idempotency key: the user, the account holder of a registry key, or the operator. */
export function scopeOf({ principal, operator, caller }: Call): string {
  if (principal?.kind === 'user') return `user/${principal.userId}`;
  if (principal) return `holder/${principal.accountHolderId}`;
  return operator === undefined ? `program/${caller}` : `operator/${operator}`;
}
