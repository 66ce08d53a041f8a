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

/** Returns the detail of the problem for people. */
export function signInDetail({ maxAgeSeconds, acrs }: RequiredSignIn): string {
  const kind = acrs.length === 0 ? '' : ' of the kind that this installation requires';
  const duration = maxAgeSeconds % 60 === 0 ? `${maxAgeSeconds / 60} minutes` : `${maxAgeSeconds} seconds`;
  return `The operation requires a sign-in${kind} within the last ${duration}. Sign in again, then repeat the request.`;
}
