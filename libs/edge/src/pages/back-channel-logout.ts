import { matchMediaType, networkOf, parseForm, readBytes, type SecurityLog } from '../index.ts';
import { DomainError } from '@saleschannel/errors';
import { FairShare, type Logger } from '@saleschannel/runtime';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { LOGOUT_TOKEN_AGE_SECONDS, LogoutTokenRefused } from './logout-token.ts';
import type { OidcClient } from './oidc.ts';
import { sendProblem } from './problem.ts';
import { recordSecurity } from './security-entry.ts';
import type { Sessions } from './sessions.ts';

/** A logout token has a few claims and one signature. */
const BODY = { bytes: 16_384, timeoutMs: 10_000 };
const FIELDS_AT_MOST = 10;
const formTypes = new Map([['application/x-www-form-urlencoded', true]]);
/** A provider sends many at once when it ends many sessions. */
const shares = { atOnce: 32, atOnceEach: 4, waitingEach: 64 };
const RETRY_AFTER_SECONDS = 2;
const TOKENS_REMEMBERED_AT_MOST = 10_000;

export interface BackChannelLogoutOptions {
  readonly oidc: OidcClient;
  readonly sessions: Sessions;
  readonly securityLog: SecurityLog;
  readonly logger: Logger;
}

/**
 * `POST /backchannel-logout`: the provider says that a session or a person is signed out there (OpenID Connect
 * Back-Channel Logout 1.0). A token is taken once by each replica, as long as it is good. That is memory enough: a
 * token that comes again at another replica ends only what has ended already, or what began after it, for five
 * minutes.
 */
export function backChannelLogout({ oidc, sessions, securityLog, logger }: BackChannelLogoutOptions): RequestHandler {
  const seen = new LRUCache<string, true>({
    max: TOKENS_REMEMBERED_AT_MOST,
    ttl: 2 * LOGOUT_TOKEN_AGE_SECONDS * 1_000,
  });
  const share = new FairShare({
    ...shares,
    refusal: () =>
      new DomainError('rate-limited', 'Too many sign-outs of this address are under way.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });
  return (request, response) =>
    share.run(networkOf(request.ip ?? 'unknown'), async () => {
      try {
        matchMediaType(request, formTypes);
        const form = parseForm(await readBytes(request, BODY), FIELDS_AT_MOST);
        const logout = await oidc.readLogoutToken(form.get('logout_token'));
        if (seen.has(logout.tokenId)) throw new LogoutTokenRefused('jti', 'The token was used before.');
        seen.set(logout.tokenId, true);
        await sessions.endByProvider(request, response, logout).catch((error: unknown) => {
          // The provider may send it again.
          seen.delete(logout.tokenId);
          throw error;
        });
        response.set('Cache-Control', 'no-store').status(200).end();
      } catch (error) {
        if (error instanceof DomainError && error.code !== 'unavailable') throw error;
        if (error instanceof LogoutTokenRefused) {
          const reason = `logout-token ${error.reason}`;
          recordSecurity(securityLog, response, { event: 'input_validation_fail', reason });
          return refuse(response, error.message);
        }
        logger.error({ err: error }, 'a sign-out of the identity provider could not be carried out');
        sendProblem(request, response, 'unavailable', 'The sessions could not be ended. Send the token again.');
      }
    });
}

/** Section 2.8 has the error of RFC 6749. */
function refuse(response: Response, description: string): void {
  response
    .status(400)
    .set('Cache-Control', 'no-store')
    .json({ error: 'invalid_request', error_description: description });
}
