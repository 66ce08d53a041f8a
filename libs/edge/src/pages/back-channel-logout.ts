import { DomainError } from '@saleschannel/errors';
import { FairShare, type Logger } from '@saleschannel/runtime';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { matchMediaType, toNetwork, parseForm, readBytes, type SecurityLog } from '../index.ts';
import type { OidcClient } from './oidc.ts';
import { sendProblem } from './problem.ts';
import { recordSecurityEvent } from './security-entry.ts';
import type { Sessions } from './sessions.ts';

/** Asymmetric algorithms only: never HMAC with the client secret, nor `none`. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Tolerated difference to the provider's clock. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Maximum age of a token. Providers send it immediately. */
const LOGOUT_TOKEN_AGE_SECONDS = 300;
const TYPES: readonly unknown[] = [undefined, 'jwt', 'logout+jwt'];
const CLAIM_LENGTH_AT_MOST = 255;

/** Error with a stable code for the security log, such as the name of a claim, and never text from a browser. */
export class ProviderRefusal extends Error {
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Thrown for an invalid logout token. The reason is for the provider's operator and the security log. */
export class LogoutTokenRefused extends ProviderRefusal {
  override name = 'LogoutTokenRefused';
}

/** Sessions that ended at the provider: one session, or all of the person if `providerSession` is undefined. */
export interface ProviderLogout {
  readonly tokenId: string;
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

interface LogoutTokenRequirements {
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: JWTVerifyGetKey;
  /** In milliseconds since 1970. */
  readonly nowMs: number;
}

const refused = (reason: string, message: string): LogoutTokenRefused => new LogoutTokenRefused(reason, message);

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * @throws LogoutTokenRefused, or Error if the provider's keys cannot be read
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, nowMs }: LogoutTokenRequirements,
): Promise<ProviderLogout> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: LOGOUT_TOKEN_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(nowMs),
    });
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
    if (!TYPES.includes(type)) throw refused('typ', 'The type of the token must be logout+jwt.');
    return toLogout(payload, issuer);
  } catch (error) {
    throw toRefusal(error) ?? error;
  }
}

function toLogout(payload: JWTPayload, issuer: string): ProviderLogout {
  const { events, nonce } = payload;
  const isLogout =
    typeof events === 'object' && events !== null && isObject((events as Record<string, unknown>)[EVENT]);
  if (!isLogout) throw refused('events', `\`events\` must have the member ${EVENT}.`);
  if (nonce !== undefined) throw refused('nonce', 'A logout token must have no `nonce`.');
  const tokenId = readText(payload, 'jti');
  const [subject, providerSession] = [readText(payload, 'sub'), readText(payload, 'sid')];
  if (tokenId === undefined) throw refused('jti', '`jti` is missing.');
  if (subject === undefined && providerSession === undefined)
    throw refused('sub', 'The token must have `sub` or `sid`.');
  return { tokenId, issuer, subject, providerSession };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function readText(payload: JWTPayload, claim: 'jti' | 'sub' | 'sid'): string | undefined {
  const value = payload[claim];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length > 0 && value.length <= CLAIM_LENGTH_AT_MOST) return value;
  throw refused(claim, `\`${claim}\` must be a string of 1 to ${CLAIM_LENGTH_AT_MOST} characters.`);
}

/** Translates an error. Undefined for errors that are not about the token. */
function toRefusal(error: unknown): LogoutTokenRefused | undefined {
  const because = (reason: string, message: string) => new LogoutTokenRefused(reason, message, { cause: error });
  if (error instanceof errors.JWTExpired) return because('exp', 'The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return because(error.claim, `\`${error.claim}\` is missing or has an unexpected value.`);
  const isUnsigned =
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSEAlgNotAllowed;
  if (isUnsigned) return because('signature', 'No key of the provider signed the token.');
  const isMalformed =
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JOSENotSupported;
  return isMalformed ? because('malformed', 'The token is not a signed JWT.') : undefined;
}

/** More than enough for a logout token. */
const BODY = { maxBytes: 16_384, timeoutMs: 10_000 };
const FIELDS_AT_MOST = 10;
const formTypes = new Map([['application/x-www-form-urlencoded', true]]);
/** Queues are long, because a provider that ends many sessions sends many tokens at once. */
const shares = { maxConcurrent: 32, maxConcurrentPerOwner: 4, maxQueuedPerOwner: 64 };
const RETRY_AFTER_SECONDS = 2;
const TOKENS_REMEMBERED_AT_MOST = 10_000;

export interface BackChannelLogoutOptions {
  readonly oidc: OidcClient;
  readonly sessions: Sessions;
  readonly securityLog: SecurityLog;
  readonly logger: Logger;
}

/**
 * Handles `POST /backchannel-logout`: the provider ended a session, or all sessions of a person (OpenID Connect
 * Back-Channel Logout 1.0). Each replica accepts a token once. A replay at another replica is harmless: it ends
 * sessions that have ended, or those that began within the five minutes of the token.
 */
export function createBackChannelLogout({
  oidc,
  sessions,
  securityLog,
  logger,
}: BackChannelLogoutOptions): RequestHandler {
  const seen = new LRUCache<string, true>({
    max: TOKENS_REMEMBERED_AT_MOST,
    ttl: 2 * LOGOUT_TOKEN_AGE_SECONDS * 1_000,
  });
  const share = new FairShare({
    ...shares,
    refusal: () =>
      new DomainError('rate-limited', 'Too many sign-outs from this address are in progress.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });
  return (request, response) =>
    share.run(toNetwork(request.ip ?? 'unknown'), async () => {
      try {
        matchMediaType(request, formTypes);
        const form = parseForm(await readBytes(request, BODY), FIELDS_AT_MOST);
        const logout = await oidc.readLogoutToken(form.get('logout_token'));
        if (seen.has(logout.tokenId)) throw new LogoutTokenRefused('jti', 'The token was used before.');
        seen.set(logout.tokenId, true);
        await sessions.endByProvider(response, logout).catch((error: unknown) => {
          // Allows the provider to retry.
          seen.delete(logout.tokenId);
          throw error;
        });
        response.set('Cache-Control', 'no-store').status(200).end();
      } catch (error) {
        if (error instanceof DomainError && error.code !== 'unavailable') throw error;
        if (error instanceof LogoutTokenRefused) {
          const reason = `logout-token ${error.reason}`;
          recordSecurityEvent(securityLog, response, { event: 'input_validation_fail', reason });
          return refuse(response, error.message);
        }
        logger.error({ err: error }, 'a sign-out by the identity provider failed');
        sendProblem(response, 'unavailable', 'The sessions could not be ended. Send the token again.');
      }
    });
}

/** Answers in the error format of RFC 6749, as Back-Channel Logout 1.0 section 2.8 requires. */
function refuse(response: Response, description: string): void {
  response
    .status(400)
    .set('Cache-Control', 'no-store')
    .json({ error: 'invalid_request', error_description: description });
}
