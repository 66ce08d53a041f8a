import type { AccessRule, Principal } from '@saleschannel/auth';
import { signInChallenge, signInDetail, type WantedSignIn } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';

/** A person's sign-in does not suffice for an operation. Signing in again is the remedy. */
export class SignInTooOld extends DomainError {
  /** For `WWW-Authenticate`. */
  readonly challenge: string;

  constructor(wanted: WantedSignIn) {
    super('unauthenticated', signInDetail(wanted));
    this.challenge = signInChallenge(wanted);
  }
}

/**
 * Lets a person in whose sign-in suffices for the operation. Identity names no sign-in for programs, nor for people
 * whom the installation does not ask. What it names is a point in time, so that an answer of identity that was kept is
 * as right as a new one.
 * @throws SignInTooOld
 */
export function requireRecentSignIn(rule: AccessRule, principal: Principal, nowMs: number): void {
  if (rule.principal !== 'user' || rule.fresh === undefined) return;
  if (principal.kind !== 'user' || principal.signIn === undefined) return;
  const { atMs, wantedAcrs: acrs } = principal.signIn;
  if (acrs !== undefined || nowMs - atMs > rule.fresh * 1_000)
    throw new SignInTooOld({ maxAgeSeconds: rule.fresh, acrs: acrs ?? [] });
}
