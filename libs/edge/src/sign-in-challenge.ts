const BEGINNING = 'Bearer error="insufficient_user_authentication"';

/** A sign-in that an operation asks for. */
export interface WantedSignIn {
  readonly maxAgeSeconds: number;
  /** Authentication contexts (`acr`) of which it must have one. Any when there are none. */
  readonly acrs: readonly string[];
}

/**
 * Value of `WWW-Authenticate` where the sign-in of a person does not suffice (RFC 9470 section 3). It names no realm of
 * Basic: a browser would ask for a password.
 */
export function signInChallenge({ maxAgeSeconds, acrs }: WantedSignIn): string {
  const contexts = acrs.length === 0 ? '' : `, acr_values="${acrs.join(' ')}"`;
  const description = 'error_description="A more recent or stronger sign-in is required"';
  return `${BEGINNING}, ${description}, max_age="${maxAgeSeconds}"${contexts}`;
}

/** Whether a value of `WWW-Authenticate` asks for another sign-in, and for nothing else. */
export const isSignInChallenge = (value: string): boolean => value.startsWith(BEGINNING);

/** What people read beside the challenge. */
export function signInDetail({ maxAgeSeconds, acrs }: WantedSignIn): string {
  const kind = acrs.length === 0 ? '' : ' of the kind that this installation requires';
  const duration = maxAgeSeconds % 60 === 0 ? `${maxAgeSeconds / 60} minutes` : `${maxAgeSeconds} seconds`;
  return `The operation requires a sign-in${kind} within the last ${duration}. Sign in again, then repeat the request.`;
}
