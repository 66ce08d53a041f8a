import type { SecurityLog } from '../index.ts';
import type { Request, RequestHandler } from 'express';
import { sendProblem } from './problem.ts';
import { recordSecurityEvent } from './security-entry.ts';

/** Header of requests of our pages. `background` marks automatic requests, which do not keep a session alive. */
const PAGE_HEADER = 'X-Portal';
const PAGE_VALUES: readonly (string | undefined)[] = ['1', 'background'];

/** Whether the page marks the request as user activity. */
export const isUserActivity = (request: Request): boolean => request.get(PAGE_HEADER) !== 'background';

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
    sendProblem(request, response, 'cross-site', 'Only pages of this site may send this.');
  };
