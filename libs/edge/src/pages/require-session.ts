import type { Request, Response } from 'express';
import type { Logger } from '@saleschannel/runtime';
import { SignInRefused } from './oidc.ts';
import { isUserActivity } from './own-page.ts';
import { sendProblem } from './problem.ts';
import type { Session, Sessions } from './sessions.ts';

/**
 * Returns the session of a request, with a valid access token. User activity restarts its idle time. Without a session,
 * or if identity cannot be reached, sends the response and returns undefined.
 */
export async function requireSession(
  request: Request,
  response: Response,
  { sessions, logger }: { readonly sessions: Sessions; readonly logger: Logger },
): Promise<Session | undefined> {
  const refuse = (): undefined => {
    sessions.clearCookies(response);
    sendProblem(
      request,
      response,
      'session-missing',
      'You are not signed in, or your session has ended. Sign in again.',
    );
  };
  try {
    const open = await sessions.read(request, response);
    if (!open) return refuse();
    const session = await sessions.refreshIfNeeded(response, open.session);
    if (isUserActivity(request)) await sessions.recordUse(response, open);
    return session;
  } catch (error) {
    if (error instanceof SignInRefused) return refuse();
    logger.error({ err: error }, 'a session cannot be checked or renewed');
    sendProblem(request, response, 'unavailable', 'Your session cannot be checked at the moment. Try again.');
    return undefined;
  }
}
