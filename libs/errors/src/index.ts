import type { FaultCode } from './fault-codes.ts';

export { faultCodes, isFaultCode, receivedFaultCode, type FaultCode, type FaultWording } from './fault-codes.ts';
export { meanings } from './meanings.ts';

/**
 * The closed list of error codes. Services throw a {@link DomainError} with one of them. `libs/grpc` passes it between
 * services, and {@link renderProblem} renders it as `application/problem+json` (RFC 9457).
 */
export const errorCodes = {
  'invalid-request': { http: 400, title: 'The request is not valid', retryable: false },
  'malformed-body': { http: 400, title: 'The request body cannot be read', retryable: false },
  'malformed-request': { http: 400, title: 'The request is not valid HTTP', retryable: false },
  'idempotency-key-reused': { http: 400, title: 'The idempotency key was used for another request', retryable: false },
  'request-refused': { http: 400, title: 'The request cannot be carried out', retryable: false },
  unauthenticated: { http: 401, title: 'Valid credentials are required', retryable: false },
  forbidden: { http: 403, title: 'The needed authorization is missing', retryable: false },
  'sales-channel-suspended': { http: 403, title: 'The sales channel is suspended', retryable: false },
  'not-found': { http: 404, title: 'There is no such resource', retryable: false },
  'route-not-found': { http: 404, title: 'There is no such address', retryable: false },
  'method-not-allowed': { http: 405, title: 'The method is not allowed here', retryable: false },
  'request-timeout': { http: 408, title: 'The request took too long to arrive', retryable: false },
  'payload-too-large': { http: 413, title: 'The request is too large', retryable: false },
  'unsupported-media-type': { http: 415, title: 'The media type is not supported', retryable: false },
  'headers-too-large': { http: 431, title: 'The request headers are too large', retryable: false },
  'rate-limited': { http: 429, title: 'Too many requests', retryable: true },
  unavailable: { http: 503, title: 'The service is temporarily unavailable', retryable: true },
  internal: { http: 500, title: 'The request failed', retryable: false },
} as const satisfies Record<string, { http: number; title: string; retryable: boolean }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * One fault of a request. `pointer` is a JSON pointer fragment into the body (`#/assets/0/start`), `parameter` a path,
 * query or header name.
 */
export interface Violation {
  pointer?: string;
  parameter?: string;
  detail: string;
  code: FaultCode;
}

export interface DomainErrorOptions {
  violations?: Violation[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error that may cross a service boundary. `detail` is written for the caller, without internal names. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly violations: Violation[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, detail: string, options: DomainErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.violations = options.violations ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Creates the error of a request of the wrong shape: HTTP 400. */
export const invalidRequest = (detail: string, violations: Violation[] = []): DomainError =>
  new DomainError('invalid-request', detail, { violations });

/** Creates the error of a well-formed request that breaks a rule (selection, buyer, currency, state): HTTP 400. */
export const requestRefused = (detail: string, violations: Violation[] = []): DomainError =>
  new DomainError('request-refused', detail, { violations });

/** Creates the error of an Idempotency-Key that belongs to another request, without details of that request. */
export const idempotencyKeyReused = (): DomainError =>
  new DomainError('idempotency-key-reused', 'The Idempotency-Key was used for another request before.', {
    violations: [{ parameter: 'Idempotency-Key', code: 'reused', detail: 'belongs to another request' }],
  });

/** Creates the error of a missing resource. One of another sales channel has the same text, which reveals nothing. */
export const notFound = (): DomainError =>
  new DomainError('not-found', 'The resource does not exist or is not visible to you.');

export const forbidden = (): DomainError => new DomainError('forbidden', 'You are not allowed to do this.');

/** Creates the error of a change on a suspended sales channel. Reads are still possible. */
export const salesChannelSuspended = (): DomainError =>
  new DomainError(
    'sales-channel-suspended',
    'The sales channel is suspended by the operator. It can be read, and nothing on it changes until it is resumed.',
  );

/** Creates the error of an unreachable dependency, after which a retry is right: HTTP 503. */
export const unavailable = (cause: unknown): DomainError =>
  new DomainError('unavailable', 'A part of the service cannot be reached at the moment.', {
    retryAfterSeconds: 2,
    cause,
  });

/** Creates the error of a defect: HTTP 500. The caller does not learn the cause. */
export const internal = (cause?: unknown): DomainError =>
  new DomainError('internal', 'The request failed.', cause === undefined ? {} : { cause });

export const isErrorCode = (text: unknown): text is ErrorCode =>
  typeof text === 'string' && Object.hasOwn(errorCodes, text);

/** Default Retry-After of a 503. */
const RETRY_AFTER_SECONDS = 2;
const MAX_INSTANCE_CHARACTERS = 2_048;

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Converts the path of a request target to a URI reference, with invalid characters percent-encoded. */
const toInstance = (url: string): string =>
  String(url.split('?', 1)[0])
    .slice(0, MAX_INSTANCE_CHARACTERS)
    .replace(/%(?![0-9a-fA-F]{2})/g, '%25')
    .replace(/[^\w\-.~!$&'()*+,;=:@/%]/g, (character) => encodeURIComponent(character.toWellFormed()));

/** Converts any error to a DomainError. An error of another class reveals nothing to the client. */
export const asDomainError = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('internal', 'The request could not be completed.', { cause: error });

/** A kind of problem, from the list above or from the own list of a server for browsers. */
export interface ProblemKind {
  readonly http: number;
  readonly title: string;
  readonly retryable: boolean;
}

/** Content of one problem. */
type ProblemContent = Pick<DomainError, 'message' | 'violations' | 'retryAfterSeconds'> & { readonly code: string };

/** Renders an error as problem details (RFC 9457). */
export const renderProblem = (error: DomainError, url: string, requestId: string): ProblemAnswer =>
  renderProblemKind(errorCodes[error.code], error, url, requestId);

/** Renders a problem of any kind (RFC 9457), for all servers. */
export function renderProblemKind(
  { http: status, title, retryable }: ProblemKind,
  { code, message, violations, retryAfterSeconds }: ProblemContent,
  url: string,
  requestId: string,
): ProblemAnswer {
  const headers: Record<string, string> = {};
  if (retryable) headers['Retry-After'] = String(retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail: message,
    instance: toInstance(url),
    requestId,
    ...(violations.length > 0 ? { errors: violations } : {}),
  });
  return { status, headers, body };
}
