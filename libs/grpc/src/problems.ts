import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { errorMessages, type Problem, type Problem__Output } from '@saleschannel/contracts';
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
 * Conversion between errors and `common.v1.Problem`, which services send as the detail of a failed call or as the
 * result of one item of a batch.
 */

/** gRPC's metadata key for typed error details, which its libraries in all languages know. */
const STATUS_DETAILS_KEY = 'grpc-status-details-bin';
const PROBLEM_TYPE_URL = 'type.googleapis.com/common.v1.Problem';
/** gRPC limits metadata to 8 KiB by default, and more violations would not help the client. */
const MAX_VIOLATIONS = 20;

const statuses: Record<ErrorCode, status> = {
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

/** Returns gRPC's name for a failure with this code. */
export const toStatusName = (code: ErrorCode): string => status[statuses[code]];

/** Converts an error to a message. An error other than a DomainError reveals nothing to the caller. */
export function toProblem(error: unknown): Problem {
  const known = error instanceof DomainError ? error : internal();
  return {
    code: known.code,
    detail: known.message,
    violations: known.violations.slice(0, MAX_VIOLATIONS),
    ...(known.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: known.retryAfterSeconds }),
  };
}

/** Converts a message to an error. A code unknown to this release becomes 'internal'. */
export function toError(problem: Problem__Output, cause?: unknown): DomainError {
  const { code, detail, retryAfterSeconds } = problem;
  if (!isErrorCode(code)) return internal(cause ?? problem);
  const violations = problem.violations.map(toViolation);
  return new DomainError(code, detail, {
    violations,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
  });
}

const toViolation = ({ pointer, parameter, detail, code }: Problem__Output['violations'][number]): Violation => ({
  ...(pointer === undefined ? {} : { pointer }),
  ...(parameter === undefined ? {} : { parameter }),
  detail,
  code: receivedFaultCode(code),
});

/** Converts an error to the status of a failed call. */
export function encodeError(error: unknown): Partial<StatusObject> & { code: status } {
  const problem = toProblem(error);
  const code = statuses[error instanceof DomainError ? error.code : 'internal'];
  const detail = { type_url: PROBLEM_TYPE_URL, value: errorMessages.problem.serialize(problem) };
  const metadata = new Metadata();
  metadata.set(
    STATUS_DETAILS_KEY,
    errorMessages.status.serialize({ code, message: String(problem.code), details: [detail] }),
  );
  return { code, details: String(problem.code), metadata };
}

/** Converts the status of a failed call to the error that the other side threw, or to that of a failed connection. */
export function decodeError(error: ServiceError): DomainError {
  const problem = readProblem(error);
  if (problem) return toError(problem, error);
  return isUnanswered(error) ? unavailable(error) : internal(error);
}

function readProblem(error: ServiceError): Problem__Output | undefined {
  const encoded = error.metadata?.get(STATUS_DETAILS_KEY)[0];
  if (!Buffer.isBuffer(encoded)) return undefined;
  const detail = errorMessages.status
    .deserialize(encoded)
    .details.find(({ type_url }) => type_url === PROBLEM_TYPE_URL);
  return detail && errorMessages.problem.deserialize(detail.value);
}

const unansweredStatuses = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

/**
 * True if the call ended without an answer, as when the called program stops or crashes. grpc-js reports a reset
 * stream, for instance of a broken socket, as INTERNAL. Errors of our services carry a problem.
 */
const isUnanswered = ({ code, details }: ServiceError): boolean =>
  unansweredStatuses.has(code) || (code === status.INTERNAL && details.startsWith('Received RST_STREAM'));
