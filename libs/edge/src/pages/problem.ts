import { randomUUID } from 'node:crypto';
import {
  DomainError,
  errorCodes,
  renderProblem,
  renderProblemKind,
  type ErrorCode,
  type ProblemAnswer,
  type ProblemKind,
} from '@saleschannel/errors';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { readRequestId, signInChallenge, signInDetail, type RequiredSignIn } from '../index.ts';

const ownKinds = {
  'session-missing': { http: 401, title: 'Not signed in', retryable: false },
  /** The sign-in is too old for this operation (RFC 9470). */
  'recent-sign-in-required': { http: 401, title: 'A recent sign-in is required', retryable: false },
  'cross-site': { http: 403, title: 'The request did not come from a page of this site', retryable: false },
  'upstream-failed': { http: 502, title: 'The service behind this page did not answer', retryable: false },
  'upstream-timeout': { http: 504, title: 'The service behind this page took too long', retryable: false },
} as const satisfies Record<string, ProblemKind>;

type ProblemCode = keyof typeof ownKinds | ErrorCode;

const kinds: Readonly<Record<ProblemCode, ProblemKind>> = { ...errorCodes, ...ownKinds };

const REQUEST_ID_CHARACTERS_AT_MOST = 64;

/** Returns the request id for the browser, the log and the API. */
export function getRequestId(response: Response): string {
  const locals = response.locals as { requestId?: string };
  locals.requestId ??= readRequestId(response.req, REQUEST_ID_CHARACTERS_AT_MOST) ?? randomUUID();
  return locals.requestId;
}

/** Sends problem details (RFC 9457), as the API does. */
export function sendProblem(response: Response, code: ProblemCode, detail: string): void {
  const problem = { code, message: detail, violations: [], retryAfterSeconds: undefined };
  send(response, renderProblemKind(kinds[code], problem, response.req.originalUrl, getRequestId(response)));
}

/** Requests another sign-in, as the API does. The page keeps the input of its user. */
export function requestRecentSignIn(response: Response, required: RequiredSignIn): void {
  response.set('WWW-Authenticate', signInChallenge(required));
  sendProblem(response, 'recent-sign-in-required', signInDetail(required));
}

/** Sends an error. Aborts an answer that has begun. */
export function sendError(response: Response, error: DomainError): void {
  if (response.headersSent || response.destroyed) response.destroy();
  else send(response, renderProblem(error, response.req.originalUrl, getRequestId(response)));
}

function send(response: Response, { status, headers, body }: ProblemAnswer): void {
  response
    .status(status)
    .set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
    .set({ ...headers, 'X-Request-Id': getRequestId(response) })
    // For a string, Express would add a charset, which JSON does not have.
    .send(Buffer.from(body));
}

/** Answers requests that no earlier handler has answered. */
export const notFoundHandler: RequestHandler = (_request, response) =>
  sendProblem(response, 'route-not-found', 'There is nothing at this address.');

/** Returns the error for the client if its request caused the error. Undefined for a fault of the server. */
export function toRequestFault(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error.code === 'internal' ? undefined : error;
  // Error of Express for a path that it cannot decode.
  const isBadPath = error instanceof URIError || (error as { status?: unknown } | undefined)?.status === 400;
  return isBadPath
    ? new DomainError('malformed-request', 'The address is not percent-encoded UTF-8.', { cause: error })
    : undefined;
}

/** Last handler of a server. @param report receives only faults of the server, so that clients cannot fill the log */
export const createProblemHandler =
  (report: (error: unknown) => void): ErrorRequestHandler =>
  (error, _request, response, _next) => {
    const fault = toRequestFault(error);
    if (!fault) report(error);
    sendError(response, fault ?? new DomainError('internal', 'The request could not be completed.'));
  };
