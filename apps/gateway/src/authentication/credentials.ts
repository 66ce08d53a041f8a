import { isUtf8 } from 'node:buffer';
import { DomainError } from '@saleschannel/errors';
import type { AccessRule, Principal } from '@saleschannel/auth';
import { signInChallenge, signInDetail, type RequiredSignIn } from '@saleschannel/edge';

/** The user must sign in again for this operation. */
export class SignInTooOld extends DomainError {
  /** For `WWW-Authenticate`. */
  readonly challenge: string;

  constructor(required: RequiredSignIn) {
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

/** API that a credential is presented to. */
export type ApiSurface = 'SALES_CHANNEL' | 'REGISTRY';

export type Credential =
  | { readonly bearerToken: string }
  /** User name and password of Basic authentication. */
  | { readonly key: { readonly keyId: string; readonly secret: string } };

const SCHEME = /^([A-Za-z]+) +(\S+)$/;
/** RFC 6750 section 2.1. */
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** RFC 7617 section 2. */
const CONTROL_CHARACTER = /\p{Cc}/u;
const KEY_ID_CHARACTERS_AT_MOST = 128;

export const unauthenticated = (detail: string): DomainError => new DomainError('unauthenticated', detail);

/** The challenges of a 401 (RFC 9110 section 11.6.1). */
export const challenges: Record<ApiSurface, string> = {
  SALES_CHANNEL: 'Bearer realm="saleschannel", Basic realm="saleschannel", charset="UTF-8"',
  REGISTRY: 'Basic realm="saleschannel-registry", charset="UTF-8"',
};

/** Parses an `Authorization` header. Several headers match no scheme. @throws DomainError 'unauthenticated' */
export function parseAuthorization(header: string, surface: ApiSurface): Credential {
  const [, scheme = '', value = ''] = SCHEME.exec(header) ?? [];
  if (scheme.toLowerCase() === 'basic') return { key: parseBasic(value) };
  if (surface === 'SALES_CHANNEL' && scheme.toLowerCase() === 'bearer' && BEARER_TOKEN.test(value))
    return { bearerToken: value };
  throw unauthenticated(
    surface === 'REGISTRY'
      ? 'Use Basic authentication with a registry key.'
      : 'Use a Bearer token or Basic authentication with an API key.',
  );
}

function parseBasic(value: string): { keyId: string; secret: string } {
  const bytes = BASE64.test(value) ? Buffer.from(value, 'base64') : undefined;
  const text = bytes && isUtf8(bytes) ? bytes.toString('utf8') : '';
  const colon = text.indexOf(':');
  if (colon < 1 || colon > KEY_ID_CHARACTERS_AT_MOST || CONTROL_CHARACTER.test(text)) {
    throw unauthenticated('The Basic credentials must be id:secret in base64.');
  }
  return { keyId: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Returns the key id in a header, for logs. Undefined for a token or a malformed header. */
export function readClaimedKeyId(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    const credential = parseAuthorization(header, 'SALES_CHANNEL');
    return 'key' in credential ? credential.key.keyId : undefined;
  } catch {
    return undefined;
  }
}
