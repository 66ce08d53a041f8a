import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { errorMessages, type ProblemMessage, type ReceivedProblem } from '@saleschannel/contracts';
import {
  DomainError,
  internal,
  isErrorCode,
  receivedFaultCode,
  unavailable,
  type ErrorCode,
  type Violation,
} from '@saleschannel/errors';

/**
 * The one codec between errors and what travels between services: a `common.v1.Problem`, as the detail of a failed call
 * or as the result of one item of a batch.
 */

/** gRPC's place for typed error details, which the libraries of all languages know. */
const STATUS_DETAILS_KEY = 'grpc-status-details-bin';
const PROBLEM_TYPE_URL = 'type.googleapis.com/common.v1.Problem';
/** gRPC limits metadata to 8 KiB by default, and more violations than this help nobody. */
const VIOLATIONS_AT_MOST = 20;

const statusOf: Record<ErrorCode, status> = {
  'invalid-request': status.INVALID_ARGUMENT,
  'malformed-body': status.INVALID_ARGUMENT,
  'malformed-request': status.INVALID_ARGUMENT,
  'idempotency-key-reused': status.ALREADY_EXISTS,
  'request-refused': status.FAILED_PRECONDITION,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  'sales-channel-suspended': status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  'route-not-found': status.NOT_FOUND,
  'method-not-allowed': status.UNIMPLEMENTED,
  'request-timeout': status.DEADLINE_EXCEEDED,
  'payload-too-large': status.RESOURCE_EXHAUSTED,
  'headers-too-large': status.RESOURCE_EXHAUSTED,
  'unsupported-media-type': status.INVALID_ARGUMENT,
  'rate-limited': status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
};

/** What gRPC calls a failure with this code. */
export const statusNameOf = (code: ErrorCode): string => status[statusOf[code]];

/** What is sent of an error. Anything but a DomainError tells the caller nothing. */
export function problemOf(error: unknown): ProblemMessage {
  const known = error instanceof DomainError ? error : internal();
  return {
    code: known.code,
    detail: known.message,
    violations: known.violations.slice(0, VIOLATIONS_AT_MOST),
    ...(known.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: known.retryAfterSeconds }),
  };
}

/** The error that a problem tells of. A code that this release does not know is 'internal'. */
export function errorOf(problem: ReceivedProblem, cause?: unknown): DomainError {
  const { code, detail, retryAfterSeconds } = problem;
  if (!isErrorCode(code)) return internal(cause ?? problem);
  const violations = problem.violations.map(violationOf);
  return new DomainError(code, detail, {
    violations,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
  });
}

const violationOf = ({ pointer, parameter, detail, code }: ReceivedProblem['violations'][number]): Violation => ({
  ...(pointer === undefined ? {} : { pointer }),
  ...(parameter === undefined ? {} : { parameter }),
  detail,
  code: receivedFaultCode(code),
});

/** How a call fails with an error. */
export function encodeError(error: unknown): Partial<StatusObject> & { code: status } {
  const problem = problemOf(error);
  const code = statusOf[error instanceof DomainError ? error.code : 'internal'];
  const detail = { type_url: PROBLEM_TYPE_URL, value: errorMessages.problem.serialize(problem) };
  const metadata = new Metadata();
  metadata.set(
    STATUS_DETAILS_KEY,
    errorMessages.status.serialize({ code, message: String(problem.code), details: [detail] }),
  );
  return { code, details: String(problem.code), metadata };
}

/** The error that the other side threw, or what a failed connection amounts to. */
export function decodeError(error: ServiceError): DomainError {
  const problem = problemIn(error);
  if (problem) return errorOf(problem, error);
  return isUnanswered(error) ? unavailable(error) : internal(error);
}

function problemIn(error: ServiceError): ReceivedProblem | undefined {
  const encoded = error.metadata?.get(STATUS_DETAILS_KEY)[0];
  if (!Buffer.isBuffer(encoded)) return undefined;
  const detail = errorMessages.status
    .deserialize(encoded)
    .details.find(({ type_url }) => type_url === PROBLEM_TYPE_URL);
  return detail && errorMessages.problem.deserialize(detail.value);
}

const unanswered = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

/**
 * True when the call ended without an answer of the other side, as when it stops or dies under it. grpc-js calls a
 * stream that was reset, by a broken socket for instance, INTERNAL. What a service of ours returns has its problem with
 * it.
 */
const isUnanswered = ({ code, details }: ServiceError): boolean =>
  unanswered.has(code) || (code === status.INTERNAL && details.startsWith('Received RST_STREAM'));
