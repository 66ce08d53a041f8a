import type { ProblemError } from './types.ts';

interface Origin {
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly isOutcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
}

/** Every error of this package. `requestId` finds a request in the logs of the service, also one without an answer. */
export class SalesChannelError extends Error {
  override name = 'SalesChannelError';
  readonly requestId: string | undefined;
  /** The key of the call that failed. The same call with it is carried out once. */
  readonly idempotencyKey: string | undefined;
  /** Whether the service may have carried out the request, in any attempt. Never for reads and plans. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, { requestId, idempotencyKey, isOutcomeUnknown = false, cause }: Origin = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** What an error answer says (RFC 9457). */
export interface ProblemParts {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly isOutcomeUnknown: boolean;
  readonly errors: readonly ProblemError[];
  readonly retryAfterMs: number | undefined;
}

/** The service answered, and the answer is no success. */
export class ApiError extends SalesChannelError {
  override name = 'ApiError';
  /** The kind of the problem, such as `/problems/not-found`. `about:blank`: it was something else that answered. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What went wrong this time, for people. */
  readonly detail: string;
  /** What is to be corrected, where. */
  readonly errors: readonly ProblemError[];
  /** How long to wait before the next try, if the answer says so. */
  readonly retryAfterMs: number | undefined;

  constructor({ type, title, status, detail, errors, retryAfterMs, ...origin }: ProblemParts) {
    const faults = errors.map((each) => `; ${each.pointer ?? each.parameter ?? 'request'}: ${each.detail}`).join('');
    super(`${title}: ${detail}${faults}`, origin);
    this.type = type;
    this.title = title;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }

  /** The code of the first fault, such as `bundle-start`. */
  get code(): string | undefined {
    return this.errors[0]?.code;
  }
}

/** The request has the wrong form. `errors` says where. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** Well-formed, but it breaks a rule: a selection, a buyer, a state. `errors` says which. It used up no key. */
export class RequestRefusedError extends ApiError {
  override name = 'RequestRefusedError';
}

/** The Idempotency-Key belongs to another request. `idempotencyKey` is that key. */
export class IdempotencyKeyReusedError extends ApiError {
  override name = 'IdempotencyKeyReusedError';
}

/** Credentials are missing, wrong or expired. */
export class UnauthenticatedError extends ApiError {
  override name = 'UnauthenticatedError';
}

/** A sign-in that an operation asks for (RFC 9470). */
export interface WantedSignIn {
  /** How long ago the person may have signed in. */
  readonly maxAgeSeconds: number;
  /** Ways to sign in (`acr`), of which one must be used. Any when it is empty. */
  readonly acrValues: readonly string[];
}

/**
 * The person signed in too long ago for this operation, or not in the way that it asks for. Have them sign in again
 * with `max_age` and `acr_values`, then send the same with the same key. Programs with keys never get it.
 */
export class FreshSignInRequiredError extends UnauthenticatedError {
  override name = 'FreshSignInRequiredError';
  readonly maxAgeSeconds: number;
  readonly acrValues: readonly string[];

  constructor(parts: ProblemParts, { maxAgeSeconds, acrValues }: WantedSignIn) {
    super(parts);
    this.maxAgeSeconds = maxAgeSeconds;
    this.acrValues = acrValues;
  }
}

/** What an answer's challenge asks for, if it asks for another sign-in and for nothing else. */
export function wantedSignInOf(headers: Headers): WantedSignIn | undefined {
  const challenge = headers.get('WWW-Authenticate') ?? 'none';
  if (!challenge.startsWith('Bearer error="insufficient_user_authentication"')) return undefined;
  const maxAge = /\bmax_age="(\d{1,9})"/.exec(challenge)?.[1];
  const acrValues = /\bacr_values="([^"]+)"/.exec(challenge)?.[1];
  return { maxAgeSeconds: Number(maxAge ?? 0), acrValues: acrValues?.split(' ') ?? [] };
}

/** A role is missing. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}

/** The operator has suspended the sales channel: it is only read. */
export class SuspendedError extends ForbiddenError {
  override name = 'SuspendedError';
}

/** No such thing within reach of the caller. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** Too many requests, also after all retries. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError';
}

/** Something that the service needs is down, also after all retries. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError';
}

/** The service failed. */
export class InternalError extends ApiError {
  override name = 'InternalError';
}

/** The answer to `If-None-Match`: nothing has changed. */
export class NotModifiedError extends SalesChannelError {
  override name = 'NotModifiedError';
}

/** No answer came, or not all of it. */
export class ConnectionError extends SalesChannelError {
  override name = 'ConnectionError';
}

/** The time that the caller gave is over. */
export class TimeoutError extends SalesChannelError {
  override name = 'TimeoutError';
}

/** Problems by their type. What is not here is an ApiError, or what its status says. */
const byType: Readonly<Record<string, typeof ApiError>> = {
  '/problems/invalid-request': ValidationError,
  '/problems/malformed-body': ValidationError,
  '/problems/malformed-request': ValidationError,
  '/problems/request-refused': RequestRefusedError,
  '/problems/idempotency-key-reused': IdempotencyKeyReusedError,
  '/problems/unauthenticated': UnauthenticatedError,
  '/problems/forbidden': ForbiddenError,
  '/problems/sales-channel-suspended': SuspendedError,
  '/problems/not-found': NotFoundError,
  '/problems/rate-limited': RateLimitedError,
  '/problems/unavailable': UnavailableError,
  '/problems/internal': InternalError,
};

/** A later version, or a proxy in front, may have types of its own. */
const byStatus: Readonly<Record<number, typeof ApiError>> = {
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  429: RateLimitedError,
  500: InternalError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

const REQUEST_TIMEOUT = 408;

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const isFault = (value: unknown): value is ProblemError =>
  typeof value === 'object' && value !== null && typeof (value as ProblemError).detail === 'string';

/** What the headers of an answer say of its error. */
interface SaidByHeaders {
  readonly requestId: string;
  readonly retryAfterMs: number | undefined;
  readonly wantedSignIn: WantedSignIn | undefined;
}

/** The error of an answer that is no success. @param body its JSON, or undefined when it is none */
export function apiErrorOf(
  status: number,
  body: unknown,
  { requestId, wantedSignIn, ...sent }: SaidByHeaders & Pick<ProblemParts, 'idempotencyKey' | 'isOutcomeUnknown'>,
): ApiError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const type = textOf(problem['type'], 'about:blank');
  const errors = problem['errors'];
  const parts = {
    type,
    title: textOf(problem['title'], `The answer has the status ${status}`),
    status,
    detail: textOf(problem['detail'], 'Nothing more is known'),
    requestId: textOf(problem['requestId'], requestId),
    errors: Array.isArray(errors) ? errors.filter(isFault) : [],
    ...sent,
  };
  if (wantedSignIn) return new FreshSignInRequiredError(parts, wantedSignIn);
  const Kind = byType[type] ?? byStatus[status] ?? ApiError;
  return new Kind(parts);
}

/** Whether the service may have carried out the request all the same. Send it again with its key to find out. */
export const isOutcomeUnknown = (error: unknown): error is SalesChannelError =>
  error instanceof SalesChannelError && error.isOutcomeUnknown;

/** Whether the same request may succeed a moment later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof UnavailableError ||
  error instanceof InternalError ||
  error instanceof RateLimitedError ||
  (error instanceof ApiError && error.status === REQUEST_TIMEOUT);

/** How long the service asks not to be asked again. 0 when it says nothing. */
export const askedPauseMs = (error: unknown): number =>
  error instanceof ApiError && error.retryAfterMs !== undefined ? error.retryAfterMs : 0;
