import type { AccessRule, Principal } from '@saleschannel/auth';
import { signInChallenge, signInDetail, type WantedSignIn } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';

/** The user must sign in again for this operation. */
export class SignInTooOld extends DomainError {
  /** For `WWW-Authenticate`. */
  readonly challenge: string;

  constructor(required: WantedSignIn) {
    super('unauthenticated', signInDetail(required));
    this.challenge = signInChallenge(required);
  }
}

/**
 * Accepts a user whose sign-in is recent enough for the operation. Identity reports no sign-in for programs, and for
 * users from whom the installation requires none. It reports a point in time, so a cached answer stays right.
 * @throws SignInTooOld
 */
export function requireRecentSignIn(rule: AccessRule, principal: Principal, nowMs: number): void {
  if (rule.principal !== 'user' || rule.fresh === undefined) return;
  if (principal.kind !== 'user' || principal.signIn === undefined) return;
  const { atMs, wantedAcrs: acrs } = principal.signIn;
  if (acrs !== undefined || nowMs - atMs > rule.fresh * 1_000)
    throw new SignInTooOld({ maxAgeSeconds: rule.fresh, acrs: acrs ?? [] });
}
