import type { Request, Response } from 'express';
import type { Logger } from '@saleschannel/runtime';
import { SignInRefused } from './oidc.ts';
import { isAct } from './own-page.ts';
import { sendProblem } from './problem.ts';
import type { Session, Sessions } from './sessions.ts';

/**
 * Who sends a request, with an access token that is good for now. What somebody does keeps their session alive.
 * Undefined: nobody is signed in, or that cannot be found out, and the answer says so already.
 */
export async function requireSession(
  request: Request,
  response: Response,
  { sessions, logger }: { readonly sessions: Sessions; readonly logger: Logger },
): Promise<Session | undefined> {
  const refuse = (): undefined => {
    sessions.end(response);
    sendProblem(request, response, 'session-missing', 'Nobody is signed in here, or no more. Sign in again.');
  };
  const open = await sessions.read(request);
  if (!open) return refuse();
  try {
    const session = await sessions.usable(response, open.session);
    if (isAct(request)) await sessions.seen(response, open);
    return session;
  } catch (error) {
    if (error instanceof SignInRefused) return refuse();
    logger.error({ err: error }, 'a session cannot be renewed');
    sendProblem(request, response, 'unavailable', 'The identity provider gave no answer.');
    return undefined;
  }
}
