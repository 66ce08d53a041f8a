import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { z } from 'zod';
import { profileOf, subject, type Profile } from '../domain/user.ts';

/** What an installation asks of access tokens beyond what makes them valid. */
export interface TokenRequirements {
  /** Each of them must be in `scope`. */
  readonly scopes: readonly string[];
  /** `acr` must be one of them, if there are any. */
  readonly acrs: readonly string[];
}

/** The end of the year 9999. What is beyond it is no time that anybody means, and Date cannot hold most of it. */
const LAST_SECOND = 253_402_300_799;
/** In seconds since the epoch, RFC 7519 section 2. */
const numericDate = z.number().min(0).max(LAST_SECOND);

const holderClaims = z.object({
  sub: subject,
  exp: numericDate,
  nbf: numericDate.optional(),
  iat: numericDate.optional(),
});

/** Access tokens by RFC 9068 section 2.1, and those of the many providers that name no kind. */
const accessTokenTypes = ['at+jwt', 'jwt'];
/**
 * Claims that only id tokens (OpenID Connect Core sections 2 and 3.3.2.11) and logout tokens (Back-Channel Logout
 * section 2.4) have.
 */
const claimsOfOtherTokens = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];
/** Keycloak and Cognito say in a claim what kind of token it is. */
const otherKinds = ['id', 'refresh', 'offline', 'logout'];

/** An id token tells a client who signed in. Shown here it would let that client act as the user everywhere. */
function isAccessToken(header: JWTHeaderParameters, claims: JWTPayload): boolean {
  const type = header.typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt';
  const kinds = [claims['typ'], claims['token_use']].filter((kind) => typeof kind === 'string');
  return (
    accessTokenTypes.includes(type) &&
    !claimsOfOtherTokens.some((claim) => claim in claims) &&
    !kinds.some((kind) => otherKinds.includes(kind.toLowerCase()))
  );
}

/**
 * The scopes of a token: `scope` is a text with spaces between them (RFC 8693 section 4.2), and `scp` what some
 * providers have instead, a text or a list.
 */
function scopesOf({ scope, scp }: JWTPayload): readonly unknown[] {
  const found = scope ?? scp;
  if (typeof found === 'string') return found.split(' ');
  return Array.isArray(found) ? found : [];
}

/** When and how a person showed who they are, as far as their token says. */
export interface TokenSignIn {
  readonly atMs: number | undefined;
  readonly acr: string | undefined;
}

const signInClaims = z.object({
  auth_time: numericDate.optional().catch(undefined),
  acr: z.string().optional().catch(undefined),
});

/**
 * Whether a client got the token for itself. Its subject is the client then (RFC 9068 section 2.2), or the provider
 * says so in a claim of its own: Auth0 in `gty`, Microsoft Entra in `idtyp`.
 */
const isOfProgram = ({ sub, client_id: client, azp, gty, idtyp }: JWTPayload): boolean =>
  [client, azp].includes(sub) || gty === 'client-credentials' || idtyp === 'app';

/** Undefined for a program. */
function signInOf(claims: JWTPayload): TokenSignIn | undefined {
  if (isOfProgram(claims)) return undefined;
  const { auth_time: seconds, acr } = signInClaims.parse(claims);
  return { atMs: seconds === undefined ? undefined : seconds * 1_000, acr };
}

export interface AccessTokenHolder {
  readonly subject: string;
  readonly profile: Profile;
  readonly signIn: TokenSignIn | undefined;
  readonly expiresAtSeconds: number;
}

/**
 * The holder of a token whose signature, issuer, audience and times are right.
 * @throws Error that says what is wrong with it
 */
export function holderOf(
  header: JWTHeaderParameters,
  claims: JWTPayload,
  { scopes, acrs }: TokenRequirements,
): AccessTokenHolder {
  if (!isAccessToken(header, claims)) throw new Error('not an access token');
  // Good only together with a key or certificate of its holder (RFC 7800), which nobody here can check (RFC 8705 for
  // mutual TLS, RFC 9449 for DPoP). Taken as a bearer token, it would protect whoever stole it.
  if ('cnf' in claims) throw new Error('bound to a key of its sender');
  const granted = scopesOf(claims);
  if (!scopes.every((scope) => granted.includes(scope))) throw new Error('without a required scope');
  if (acrs.length > 0 && !(typeof claims['acr'] === 'string' && acrs.includes(claims['acr'])))
    throw new Error('not of a required authentication context');
  const { sub, exp } = holderClaims.parse(claims);
  return { subject: sub, profile: profileOf(claims), signIn: signInOf(claims), expiresAtSeconds: exp };
}
