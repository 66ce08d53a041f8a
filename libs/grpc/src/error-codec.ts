import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { DomainError, isErrorCode, type ErrorCode, type Violation } from '@saleschannel/errors';

/** The one place where errors are turned into gRPC statuses and back. */

const PROBLEM_KEY = 'problem-bin';
/** gRPC's limit on metadata is 8 KiB by default; more violations than this help nobody. */
const VIOLATIONS_AT_MOST = 20;

const statusOf: Record<ErrorCode, status> = {
  'invalid-request': status.INVALID_ARGUMENT,
  'malformed-body': status.INVALID_ARGUMENT,
  'idempotency-key-reused': status.ALREADY_EXISTS,
  'request-refused': status.FAILED_PRECONDITION,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  'not-found': status.NOT_FOUND,
  'route-not-found': status.NOT_FOUND,
  'method-not-allowed': status.UNIMPLEMENTED,
  'payload-too-large': status.RESOURCE_EXHAUSTED,
  'unsupported-media-type': status.INVALID_ARGUMENT,
  'rate-limited': status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
};

interface Problem {
  code: ErrorCode;
  detail: string;
  violations: Violation[];
  retryAfterSeconds?: number | undefined;
}

/** Anything but a DomainError tells the caller nothing. */
export function encodeError(error: unknown): Partial<StatusObject> & { code: status } {
  const known = error instanceof DomainError ? error : new DomainError('internal', 'The request failed.');
  const problem: Problem = {
    code: known.code,
    detail: known.message,
    violations: known.violations.slice(0, VIOLATIONS_AT_MOST),
    retryAfterSeconds: known.retryAfterSeconds,
  };
  const metadata = new Metadata();
  metadata.set(PROBLEM_KEY, Buffer.from(JSON.stringify(problem)));
  return { code: statusOf[known.code], details: known.code, metadata };
}

/** The error that the other side threw, or what a failed connection amounts to. */
export function decodeError(error: ServiceError): DomainError {
  const encoded = error.metadata?.get(PROBLEM_KEY)[0];
  if (encoded) {
    const problem = JSON.parse(encoded.toString()) as Problem;
    if (isErrorCode(problem.code))
      return new DomainError(problem.code, problem.detail, { ...problem, cause: error } as never);
  }
  if (isUnanswered(error)) {
    return new DomainError('unavailable', 'A part of the service cannot be reached at the moment.', {
      retryAfterSeconds: 2,
      cause: error,
    });
  }
  return new DomainError('internal', 'The request failed.', { cause: error });
}

const unanswered = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

/**
 * True when the call ended without an answer of the other side, as when it stops or dies under it. grpc-js calls a stream that was reset, by a broken socket for
 * instance, INTERNAL; what a service of ours answers has its problem with it.
 */
const isUnanswered = ({ code, details }: ServiceError): boolean =>
  unanswered.has(code) || (code === status.INTERNAL && details.startsWith('Received RST_STREAM'));
