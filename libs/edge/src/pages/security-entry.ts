import type { SecurityEntry, SecurityLog } from '../index.ts';
import type { RequestHandler, Response } from 'express';
import { requestIdOf } from './problem.ts';

/** A person as far as they are known. Operators are known by the subject alone. */
interface Person {
  readonly userId?: string | undefined;
  readonly subject?: string | undefined;
}

/** Returns the actor of a security entry, as the gateway's security log names it. */
export const securityActor = ({ userId, subject }: Person): string | undefined => {
  if (userId !== undefined) return `user ${userId}`;
  return subject === undefined ? undefined : `subject ${subject}`;
};

/** Records an entry about the request of a response. The operation is its route, never its path, which holds ids. */
export function recordSecurity(log: SecurityLog, response: Response, entry: SecurityEntry): void {
  const { req: request } = response;
  const { path } = (request.route ?? {}) as { path?: unknown };
  const route = `${request.baseUrl}${typeof path === 'string' ? path : ''}`;
  const operation = route === '' ? 'routing' : route;
  log.record({ address: request.ip, operation, requestId: requestIdOf(request, response), ...entry });
}

/** Records each request that is answered with 429, whoever limited it. */
export const recordRateLimited =
  (log: SecurityLog): RequestHandler =>
  (_request, response, next) => {
    response.once('finish', () => {
      if (response.statusCode !== 429) return;
      recordSecurity(log, response, { event: 'excess_rate_limit_exceeded', reason: 'rate-limited' });
    });
    next();
  };
