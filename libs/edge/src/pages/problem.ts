import { randomUUID } from 'node:crypto';
import { signInChallenge, signInDetail, type WantedSignIn } from '../index.ts';
import {
  DomainError,
  errorCodes,
  renderProblem,
  renderProblemOf,
  type ErrorCode,
  type ProblemAnswer,
  type ProblemKind,
} from '@saleschannel/errors';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

/** What a backend for browsers refuses by itself, beside what the API refuses too. */
const ownKinds = {
  'session-missing': { http: 401, title: 'Nobody is signed in', retryable: false },
  /** RFC 9470: the sign-in is too old for this act. */
  'recent-sign-in-required': { http: 401, title: 'A recent sign-in is required', retryable: false },
  'cross-site': { http: 403, title: 'The request did not come from a page of this site', retryable: false },
  'upstream-failed': { http: 502, title: 'The service behind this page gave no answer', retryable: false },
  'upstream-timeout': { http: 504, title: 'The service behind this page took too long', retryable: false },
} as const satisfies Record<string, ProblemKind>;

type ProblemCode = keyof typeof ownKinds | ErrorCode;

const kinds: Readonly<Record<ProblemCode, ProblemKind>> = { ...errorCodes, ...ownKinds };

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The id under which a request is known to the browser, in our log and in the API behind. */
export function requestIdOf(request: Request, response: Response): string {
  const locals = response.locals as { requestId?: string };
  const given = request.get('X-Request-Id');
  locals.requestId ??= given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
  return locals.requestId;
}

/** Answers with problem details (RFC 9457), as the API does. */
export function sendProblem(request: Request, response: Response, code: ProblemCode, detail: string): void {
  const said = { code, message: detail, violations: [], retryAfterSeconds: undefined };
  send(request, response, renderProblemOf(kinds[code], said, request.originalUrl, requestIdOf(request, response)));
}

/** Asks for another sign-in, as the API does. The page that sent the request keeps what was typed. */
export function refuseOldSignIn(request: Request, response: Response, wanted: WantedSignIn): void {
  response.set('WWW-Authenticate', signInChallenge(wanted));
  sendProblem(request, response, 'recent-sign-in-required', signInDetail(wanted));
}

/** Answers with an error. Where an answer has begun, it breaks off. */
export function sendError(request: Request, response: Response, error: DomainError): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else send(request, response, renderProblem(error, request.originalUrl, requestIdOf(request, response)));
}

function send(request: Request, response: Response, { status, headers, body }: ProblemAnswer): void {
  response
    .status(status)
    .set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
    .set({ ...headers, 'X-Request-Id': requestIdOf(request, response) })
    // As text, Express would name a charset, which JSON has none of.
    .send(Buffer.from(body));
}

/** For paths below which there is nothing else. */
export const nothingHere: RequestHandler = (request, response) =>
  sendProblem(request, response, 'route-not-found', 'Nothing is at this address.');

/**
 * Translates an error into the fault of the request that caused it.
 * @returns undefined when the request is not at fault
 */
export function requestFault(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error.code === 'internal' ? undefined : error;
  // Express fails like this on a path that it cannot decode.
  const isBadPath = error instanceof URIError || (error as { status?: unknown } | undefined)?.status === 400;
  return isBadPath
    ? new DomainError('malformed-request', 'The address is not percent-encoded UTF-8.', { cause: error })
    : undefined;
}

/** The last handler of a server. @param failed hears of errors that are ours: requests must not fill the log */
export const problemHandler =
  (failed: (error: unknown) => void): ErrorRequestHandler =>
  (error, request, response, _next) => {
    const fault = requestFault(error);
    if (!fault) failed(error);
    sendError(request, response, fault ?? new DomainError('internal', 'The request could not be completed.'));
  };
