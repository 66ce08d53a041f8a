import { invalidRequest, type DomainError, type Violation } from '@saleschannel/errors';

export const VIOLATIONS_AT_MOST = 20;

/** Creates an error with the violations. A single violation also becomes its detail. */
export function createRefusal(violations: readonly Violation[]): DomainError {
  const [first] = violations;
  const detail =
    first && violations.length === 1
      ? [first.parameter ?? first.pointer, `${first.detail}.`].filter((part) => part !== undefined).join(' ')
      : `${violations.length} members or parameters are not valid.`;
  return invalidRequest(detail, violations.slice(0, VIOLATIONS_AT_MOST));
}

/** @throws DomainError 'invalid-request' with this violation */
export function throwRefusal(violation: Violation): never {
  throw createRefusal([violation]);
}

const BEGINNING = 'Bearer error="insufficient_user_authentication"';

export interface RequiredSignIn {
  readonly maxAgeSeconds: number;
  /** Authentication contexts (`acr`) of which the sign-in must have one. Empty allows any. */
  readonly acrs: readonly string[];
}

/**
 * Returns the `WWW-Authenticate` value for an insufficient sign-in (RFC 9470 section 3). Basic is not offered: browsers
 * would ask for a password.
 */
export function signInChallenge({ maxAgeSeconds, acrs }: RequiredSignIn): string {
  const contexts = acrs.length === 0 ? '' : `, acr_values="${acrs.join(' ')}"`;
  const description = 'error_description="A more recent or stronger sign-in is required"';
  return `${BEGINNING}, ${description}, max_age="${maxAgeSeconds}"${contexts}`;
}

/** Whether a `WWW-Authenticate` value requests another sign-in. */
export const isSignInChallenge = (value: string): boolean => value.startsWith(BEGINNING);

export function signInDetail({ maxAgeSeconds, acrs }: RequiredSignIn): string {
  const kind = acrs.length === 0 ? '' : ' of the kind that this installation requires';
  const duration = maxAgeSeconds % 60 === 0 ? `${maxAgeSeconds / 60} minutes` : `${maxAgeSeconds} seconds`;
  return `The operation requires a sign-in${kind} within the last ${duration}. Sign in again, then repeat the request.`;
}
