import type { RequestHandler, Response } from 'express';
import type { SecurityEntry, SecurityLog } from '../index.ts';
import { getRequestId } from './problem.ts';

/** Person in a security entry. Operators have a subject only. */
interface Person {
  readonly userId?: string | undefined;
  readonly subject?: string | undefined;
}

/** Returns the actor in the form of the gateway's security log. */
export const toSecurityActor = ({ userId, subject }: Person): string | undefined => {
  if (userId !== undefined) return `user ${userId}`;
  return subject === undefined ? undefined : `subject ${subject}`;
};

/** Records an entry about a request. The operation is its route, never its path, which contains ids. */
export function recordSecurityEvent(log: SecurityLog, response: Response, entry: SecurityEntry): void {
  const { req: request } = response;
  const { path } = (request.route ?? {}) as { path?: unknown };
  const route = `${request.baseUrl}${typeof path === 'string' ? path : ''}`;
  const operation = route === '' ? 'routing' : route;
  log.record({ address: request.ip, operation, requestId: getRequestId(response), ...entry });
}

export const createRateLimitRecorder =
  (log: SecurityLog): RequestHandler =>
  (_request, response, next) => {
    response.once('finish', () => {
      if (response.statusCode !== 429) return;
      recordSecurityEvent(log, response, { event: 'excess_rate_limit_exceeded', reason: 'rate-limited' });
    });
    next();
  };
