import { DomainError, errorCodes } from '@saleschannel/errors';

/** How long a client should wait after a 503 that names no time. */
const RETRY_AFTER_SECONDS = 2;
const INSTANCE_CHARACTERS_AT_MOST = 2_048;

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The path of a request target as a URI reference: what must not stand in one is percent-encoded. */
const instanceOf = (url: string): string =>
  url
    .replace(/\?.*$/s, '')
    .slice(0, INSTANCE_CHARACTERS_AT_MOST)
    .replace(/%(?![0-9a-fA-F]{2})/g, '%25')
    .replace(/[^\w\-.~!$&'()*+,;=:@/%]/g, (character) => encodeURIComponent(character.toWellFormed()));

/** Anything but a DomainError tells the client nothing. */
export const asDomainError = (error: unknown): DomainError =>
  error instanceof DomainError
    ? error
    : new DomainError('internal', 'The request could not be completed.', { cause: error });

/** Renders an error as problem details (RFC 9457): the one place where that is done. */
export function renderProblem(error: DomainError, url: string, requestId: string): ProblemAnswer {
  const { http: status, title, retryable } = errorCodes[error.code];
  const headers: Record<string, string> = {};
  if (retryable) headers['Retry-After'] = String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS);
  const body = JSON.stringify({
    type: `/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: instanceOf(url),
    requestId,
    ...(error.violations.length > 0 ? { errors: error.violations } : {}),
  });
  return { status, headers, body };
}
