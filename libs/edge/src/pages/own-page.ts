import type { SecurityLog } from '../index.ts';
import type { Request, RequestHandler } from 'express';
import { sendProblem } from './problem.ts';
import { recordSecurity } from './security-entry.ts';

/** What our pages say with each request. `background` is for what nobody did: it keeps no session alive. */
const PAGE_HEADER = 'X-Portal';
const PAGE_VALUES: readonly (string | undefined)[] = ['1', 'background'];

/** Whether somebody did this, as far as the page says. */
export const isAct = (request: Request): boolean => request.get(PAGE_HEADER) !== 'background';

/** A link that is followed cannot set a header of its own: a download, for instance. */
const isFollowedLink = (request: Request): boolean =>
  request.method === 'GET' && request.get('Sec-Fetch-Mode') === 'navigate';

const isFromOwnPage = (request: Request, origin: string): boolean => {
  const site = request.get('Sec-Fetch-Site');
  return site === undefined ? request.get('Origin') === origin : site === 'same-origin';
};

/**
 * Refuses what no page of ours sent. A page of somebody else can neither choose Sec-Fetch-Site nor Origin, nor set a
 * header of its own without being asked, which nobody answers here. SameSite cookies are a second wall.
 */
export const requireOwnPage =
  (publicUrl: URL, securityLog: SecurityLog): RequestHandler =>
  (request, response, next) => {
    const isMarked = PAGE_VALUES.includes(request.get(PAGE_HEADER)) || isFollowedLink(request);
    if (isMarked && isFromOwnPage(request, publicUrl.origin)) return next();
    recordSecurity(securityLog, response, { event: 'malicious_cors', reason: 'cross-site' });
    sendProblem(request, response, 'cross-site', 'Only pages of this site may send this.');
  };
