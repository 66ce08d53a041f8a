import type { Socket } from 'node:net';
import { DomainError, renderProblem, type ErrorCode } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';

const statusLines: Partial<Record<ErrorCode, string>> = {
  'malformed-request': '400 Bad Request',
  'request-timeout': '408 Request Timeout',
  'headers-too-large': '431 Request Header Fields Too Large',
};

/** Translates an error of the parser of node:http. */
export function unreadableFault({ code }: NodeJS.ErrnoException, headerBytesAtMost: number): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers-too-large', `All headers together must have at most ${headerBytesAtMost} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request-timeout', 'The request did not arrive in time: send it again.');
    default:
      return new DomainError('malformed-request', 'The request is not a valid HTTP/1.1 message.');
  }
}

/**
 * Answers bytes that are no HTTP request, and closes the connection.
 * @returns the request id that the answer carries
 */
export function answerUnreadable(
  socket: Socket,
  fault: DomainError,
  headers: Readonly<Record<string, string>>,
): string {
  const requestId = newId();
  // The path is unknown: it was not read.
  const { body } = renderProblem(fault, '/', requestId);
  const lines = Object.entries({
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    ...headers,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${statusLines[fault.code]}`, ...lines, '', body].join('\r\n'));
  return requestId;
}
