import { matchMediaType, toNetwork, parseForm, readBytes, type SecurityLog } from '../index.ts';
import { DomainError } from '@saleschannel/errors';
import { FairShare, type Logger } from '@saleschannel/runtime';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { LOGOUT_TOKEN_AGE_SECONDS, LogoutTokenRefused } from './logout-token.ts';
import type { OidcClient } from './oidc.ts';
import { sendProblem } from './problem.ts';
import { recordSecurityEvent } from './security-entry.ts';
import type { Sessions } from './sessions.ts';

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
        await sessions.endByProvider(request, response, logout).catch((error: unknown) => {
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
        sendProblem(request, response, 'unavailable', 'The sessions could not be ended. Send the token again.');
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
