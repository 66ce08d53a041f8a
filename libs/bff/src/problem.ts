import { randomUUID } from 'node:crypto';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

/** What a backend for browsers refuses by itself. All else is said by the API behind it. */
const kinds = {
  'session-missing': { status: 401, title: 'Nobody is signed in' },
  /** RFC 9470: the sign-in is too old for this act. */
  'recent-sign-in-required': { status: 401, title: 'A recent sign-in is required' },
  'cross-site': { status: 403, title: 'The request did not come from a page of this site' },
  'route-not-found': { status: 404, title: 'There is no such address' },
  'payload-too-large': { status: 413, title: 'The request is too large' },
  internal: { status: 500, title: 'The request failed' },
  'upstream-failed': { status: 502, title: 'The service behind this page gave no answer' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
  'upstream-timeout': { status: 504, title: 'The service behind this page took too long' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemKind = keyof typeof kinds;

const RETRY_AFTER_SECONDS = 2;
const INSTANCE_CHARACTERS_AT_MOST = 2_048;
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The id under which a request is known to the browser, in our log and in the API behind. */
export function requestIdOf(request: Request, response: Response): string {
  const locals = response.locals as { requestId?: string };
  const given = request.get('X-Request-Id');
  locals.requestId ??= given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
  return locals.requestId;
}

/** Answers with problem details (RFC 9457), as the API does. */
export function sendProblem(request: Request, response: Response, kind: ProblemKind, detail: string): void {
  const { status, title } = kinds[kind];
  const requestId = requestIdOf(request, response);
  const instance = request.originalUrl.replace(/\?.*$/s, '').slice(0, INSTANCE_CHARACTERS_AT_MOST);
  if (status === 503) response.set('Retry-After', String(RETRY_AFTER_SECONDS));
  response
    .status(status)
    .set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', 'X-Request-Id': requestId })
    .send(Buffer.from(JSON.stringify({ type: `/problems/${kind}`, title, status, detail, instance, requestId })));
}

/** For paths below which there is nothing else. */
export const nothingHere: RequestHandler = (request, response) =>
  sendProblem(request, response, 'route-not-found', 'Nothing is at this address.');

const isTooLarge = (error: unknown): boolean => (error as { status?: number } | undefined)?.status === 413;

/** The last handler of a server. @param failed is told of what nobody foresaw */
export const problemHandler =
  (failed: (error: unknown) => void): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const tooLarge = isTooLarge(error);
    if (!tooLarge) failed(error);
    if (response.headersSent) response.destroy();
    else if (tooLarge) sendProblem(request, response, 'payload-too-large', 'The body is larger than is read here.');
    else sendProblem(request, response, 'internal', 'The request could not be completed.');
  };
