import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { DomainError, renderProblem, type ErrorCode } from '@saleschannel/errors';
import { newId } from '@saleschannel/primitives';
import type { SecurityLog } from './security-log.ts';

/** Long enough for imports and files. Bodies that are read as a whole have shorter limits. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Longer than the timeouts of usual load balancers, so that they close idle connections, not this server. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

export interface GuardedServerOptions {
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  /** A connection closes after this time without traffic, while it is the client's turn to send or to read. */
  readonly stalledTimeoutMs: number;
  readonly node?: ServerOptions;
  readonly problemHeaders: Readonly<Record<string, string>>;
  readonly securityLog: SecurityLog;
  /** Returns false to ignore a request. @param isBusy whether the connection has another request in progress */
  readonly shouldAnswer?: (request: IncomingMessage, response: ServerResponse, isBusy: boolean) => boolean;
  readonly onRequest: RequestListener;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Creates a node:http server that closes stalled connections and answers malformed messages with problem details.
 * Its `onRequest` is also for further events of node:http, such as `checkContinue`.
 */
export function createGuardedServer(options: GuardedServerOptions) {
  const exchanges = new WeakMap<Socket, Exchange>();
  const onRequest: RequestListener = (request, response) => {
    const { socket } = request;
    if (options.shouldAnswer?.(request, response, exchanges.has(socket)) === false) return;
    const exchange = { request, response };
    exchanges.set(socket, exchange);
    response.once('close', () => {
      if (exchanges.get(socket) === exchange) exchanges.delete(socket);
    });
    options.onRequest(request, response);
  };
  const limits = {
    maxHeaderSize: options.maxHeaderBytes,
    headersTimeout: options.headersTimeoutMs,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  };
  const server = createServer({ ...limits, ...options.node }, onRequest);
  server.maxConnections = options.maxConnections;
  server.setTimeout(options.stalledTimeoutMs, (socket: Socket) =>
    closeStalled(socket, exchanges.get(socket)?.request, options.stalledTimeoutMs),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseMalformed(error, socket, exchanges.get(socket), options),
  );
  return { server, onRequest };
}

/** Closes a silent connection, unless the server itself is working on an answer. */
function closeStalled(socket: Socket, request: IncomingMessage | undefined, stalledTimeoutMs: number): void {
  const isUnread = socket.writableLength > 0;
  const isHalfSent = request?.complete === false && request.readableLength === 0;
  if (!request || isUnread || isHalfSent) socket.destroy();
  else socket.setTimeout(stalledTimeoutMs);
}

function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  exchange: Exchange | undefined,
  { maxHeaderBytes, problemHeaders, securityLog }: GuardedServerOptions,
): void {
  // The client would take this answer for that of its earlier request, which may still be executed.
  const owesAnswer = exchange !== undefined && (exchange.request.complete || exchange.response.headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || owesAnswer) {
    socket.destroy();
    return;
  }
  const fault = parserFault(error, maxHeaderBytes);
  const { remoteAddress: address } = socket;
  const requestId = sendRawProblem(socket, fault, problemHeaders);
  securityLog.record({ event: 'input_validation_fail', reason: fault.code, address, requestId });
}

const statusLines: Partial<Record<ErrorCode, string>> = {
  'malformed-request': '400 Bad Request',
  'request-timeout': '408 Request Timeout',
  'headers-too-large': '431 Request Header Fields Too Large',
};

function parserFault({ code }: NodeJS.ErrnoException, maxHeaderBytes: number): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers-too-large', `All headers together must have at most ${maxHeaderBytes} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request-timeout', 'The request did not arrive in time: send it again.');
    default:
      return new DomainError('malformed-request', 'The request is not a valid HTTP/1.1 message.');
  }
}

/** Answers bytes that are not an HTTP request, and closes the connection. Returns the request id of the answer. */
function sendRawProblem(socket: Socket, fault: DomainError, headers: Readonly<Record<string, string>>): string {
  const requestId = newId();
  // The path was not parsed.
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
