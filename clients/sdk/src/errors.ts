import type { ProblemError } from './types.ts';

interface Origin {
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly isOutcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
}

/** Base class of all errors. `requestId` finds the request in the service's logs, even without a response. */
export class SalesChannelError extends Error {
  override name = 'SalesChannelError';
  readonly requestId: string | undefined;
  /** Idempotency-Key of the failed call. Repeating the call with it is safe. */
  readonly idempotencyKey: string | undefined;
  /** Whether any attempt may have been carried out. Always false for reads and plans. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, { requestId, idempotencyKey, isOutcomeUnknown = false, cause }: Origin = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** Problem details (RFC 9457). */
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

/** An unsuccessful response of the service. */
export class ApiError extends SalesChannelError {
  override name = 'ApiError';
  /** Problem type, such as `/problems/not-found`. `about:blank` if the response is not from the service. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** Explanation of this occurrence. */
  readonly detail: string;
  /** Errors with their locations. */
  readonly errors: readonly ProblemError[];
  /** Minimum delay before a retry, if the response states one. */
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

  /** Code of the first error, such as `bundle-start`. */
  get code(): string | undefined {
    return this.errors[0]?.code;
  }
}

/** The request is malformed. `errors` has the locations. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** The request is well-formed but violates a rule. `errors` has the details. The Idempotency-Key can be used again. */
export class RequestRefusedError extends ApiError {
  override name = 'RequestRefusedError';
}

/** `idempotencyKey` belongs to another request. */
export class IdempotencyKeyReusedError extends ApiError {
  override name = 'IdempotencyKeyReusedError';
}

/** Credentials are missing, wrong or expired. */
export class UnauthenticatedError extends ApiError {
  override name = 'UnauthenticatedError';
}

/** Sign-in required by an operation (RFC 9470). */
export interface RequiredSignIn {
  /** Maximum age of the sign-in. */
  readonly maxAgeSeconds: number;
  /** Accepted authentication contexts (`acr`). Empty if any is accepted. */
  readonly acrValues: readonly string[];
}

/**
 * The operation requires a more recent or stronger sign-in. Sign the user in again with `max_age` and `acr_values`,
 * then repeat the request with the same key. Never thrown for API keys.
 */
export class FreshSignInRequiredError extends UnauthenticatedError {
  override name = 'FreshSignInRequiredError';
  readonly maxAgeSeconds: number;
  readonly acrValues: readonly string[];

  constructor(parts: ProblemParts, { maxAgeSeconds, acrValues }: RequiredSignIn) {
    super(parts);
    this.maxAgeSeconds = maxAgeSeconds;
    this.acrValues = acrValues;
  }
}

/** Sign-in required by a challenge, if any. */
export function parseSignInChallenge(headers: Headers): RequiredSignIn | undefined {
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

/** The sales channel is suspended: it can be read but not changed. */
export class SuspendedError extends ForbiddenError {
  override name = 'SuspendedError';
}

/** The object does not exist, or is not visible to the caller. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** Too many requests, even after all retries. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError';
}

/** A dependency of the service is unavailable, even after all retries. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError';
}

/** The service failed. */
export class InternalError extends ApiError {
  override name = 'InternalError';
}

/** Response to `If-None-Match`: nothing has changed. */
export class NotModifiedError extends SalesChannelError {
  override name = 'NotModifiedError';
}

/** No complete response arrived. */
export class ConnectionError extends SalesChannelError {
  override name = 'ConnectionError';
}

/** The timeout of the call has expired. */
export class TimeoutError extends SalesChannelError {
  override name = 'TimeoutError';
}

/** Error classes by problem type. Other types use the status. */
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

/** Fallback for types of later versions, and for proxies. */
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

const readText = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const isFault = (value: unknown): value is ProblemError =>
  typeof value === 'object' && value !== null && typeof (value as ProblemError).detail === 'string';

/** Error details from response headers. */
interface HeaderDetails {
  readonly requestId: string;
  readonly retryAfterMs: number | undefined;
  readonly requiredSignIn: RequiredSignIn | undefined;
}

/** Creates the error of an unsuccessful response. @param body parsed JSON, or undefined */
export function createApiError(
  status: number,
  body: unknown,
  { requestId, requiredSignIn, ...sent }: HeaderDetails & Pick<ProblemParts, 'idempotencyKey' | 'isOutcomeUnknown'>,
): ApiError {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const type = readText(problem['type'], 'about:blank');
  const errors = problem['errors'];
  const parts = {
    type,
    title: readText(problem['title'], `The response has status ${status}`),
    status,
    detail: readText(problem['detail'], 'The response has no details'),
    requestId: readText(problem['requestId'], requestId),
    errors: Array.isArray(errors) ? errors.filter(isFault) : [],
    ...sent,
  };
  if (requiredSignIn) return new FreshSignInRequiredError(parts, requiredSignIn);
  const Kind = byType[type] ?? byStatus[status] ?? ApiError;
  return new Kind(parts);
}

/** Whether the service may have carried out the request. Repeat it with its key to find out. */
export const isOutcomeUnknown = (error: unknown): error is SalesChannelError =>
  error instanceof SalesChannelError && error.isOutcomeUnknown;

/** Whether a retry may succeed soon. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof UnavailableError ||
  error instanceof InternalError ||
  error instanceof RateLimitedError ||
  (error instanceof ApiError && error.status === REQUEST_TIMEOUT);

/** Retry delay requested by the service, or 0. */
export const retryDelayMs = (error: unknown): number =>
  error instanceof ApiError && error.retryAfterMs !== undefined ? error.retryAfterMs : 0;
