import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '@saleschannel/runtime';
import type { SecurityLog } from '../index.ts';
import { sendProblem } from './problem.ts';
import { recordSecurityEvent } from './security-entry.ts';
import { SignInRefused } from './oidc.ts';
import type { Session, Sessions } from './sessions.ts';

/** Header of requests of our pages. `background` marks automatic requests, which do not keep a session alive. */
const PAGE_HEADER = 'X-Portal';
const PAGE_VALUES: readonly (string | undefined)[] = ['1', 'background'];

/** Whether the page marks the request as user activity. */
const isUserActivity = (request: Request): boolean => request.get(PAGE_HEADER) !== 'background';

/** Followed links, such as downloads, cannot set a custom header. */
const isFollowedLink = (request: Request): boolean =>
  request.method === 'GET' && request.get('Sec-Fetch-Mode') === 'navigate';

const isFromOwnPage = (request: Request, origin: string): boolean => {
  const site = request.get('Sec-Fetch-Site');
  return site === undefined ? request.get('Origin') === origin : site === 'same-origin';
};

/**
 * Rejects requests that our pages did not send. Foreign pages can set neither Sec-Fetch-Site nor Origin, and a custom
 * header needs a preflight, which this server does not answer. SameSite cookies are a second defence.
 */
export const requireOwnPage =
  (publicUrl: URL, securityLog: SecurityLog): RequestHandler =>
  (request, response, next) => {
    const isMarked = PAGE_VALUES.includes(request.get(PAGE_HEADER)) || isFollowedLink(request);
    if (isMarked && isFromOwnPage(request, publicUrl.origin)) return next();
    recordSecurityEvent(securityLog, response, { event: 'malicious_cors', reason: 'cross-site' });
    sendProblem(response, 'cross-site', 'Only pages of this site may send this.');
  };

/**
 * Returns the session of a request, with a valid access token. User activity restarts its idle time. Without a session,
 * or if identity cannot be reached, sends the response and returns undefined.
 */
export async function requireSession(
  response: Response,
  { sessions, logger }: { readonly sessions: Sessions; readonly logger: Logger },
): Promise<Session | undefined> {
  const refuse = (): undefined => {
    sessions.clearCookies(response);
    sendProblem(response, 'session-missing', 'You are not signed in, or your session has ended. Sign in again.');
  };
  try {
    const open = await sessions.read(response);
    if (!open) return refuse();
    const session = await sessions.refreshIfNeeded(response, open.session);
    if (isUserActivity(response.req)) await sessions.recordUse(response, open);
    return session;
  } catch (error) {
    if (error instanceof SignInRefused) return refuse();
    logger.error({ err: error }, 'a session cannot be checked or renewed');
    sendProblem(response, 'unavailable', 'Your session cannot be checked at the moment. Try again.');
    return undefined;
  }
}
