import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnreadable, unreadableFault } from '@saleschannel/edge';
import { createHttpApp, type App, type HttpAppOptions } from '@saleschannel/runtime';
import type { SecurityLog } from '@saleschannel/edge';
import type { ConnectionAges } from './connection-ages.ts';
import type { Connections } from './connections.ts';
import type { SlowReaders } from './slow-readers.ts';

/** A whole request: long, for imports. Other bodies have a limit of their own. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Longer than that of usual load balancers, which must be the ones to close. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const CHECK_CONNECTIONS_MS = 5_000;

export interface HttpServerOptions extends HttpAppOptions {
  readonly maxConnections: number;
  readonly headerBytesAtMost: number;
  readonly headersTimeoutMs: number;
  /** A connection that owes or is owed something ends after so long without a byte. */
  readonly stalledTimeoutMs: number;
  readonly ages: ConnectionAges;
  readonly connections: Connections;
  readonly slowReaders: SlowReaders;
  readonly securityLog: SecurityLog;
  /** Headers that every answer has. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  readonly onRequest: RequestListener;
}

/** What is under way on a connection. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** node:http with limits. */
export function createHttpServer(options: HttpServerOptions): App {
  const exchanges = new WeakMap<Socket, Exchange>();
  const onRequest: RequestListener = (request, response) => {
    const { socket } = request;
    if (!options.ages.mayAnswer(response, socket, exchanges.has(socket))) return;
    const exchange = { request, response };
    exchanges.set(socket, exchange);
    response.once('close', () => {
      if (exchanges.get(socket) === exchange) exchanges.delete(socket);
    });
    options.onRequest(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: options.headerBytesAtMost,
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(CHECK_CONNECTIONS_MS, options.headersTimeoutMs),
      // Repeated headers become visible: two Authorization headers must not pass for the first of them.
      joinDuplicateHeaders: true,
      // A request without Host is refused like any other, with problem details. Node's own answer has none.
      requireHostHeader: false,
    },
    onRequest,
  );
  server.maxConnections = options.maxConnections;
  // Node would drop further ones without a word. Their bytes are limited.
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    options.slowReaders.watch(socket);
    options.ages.open(socket);
    options.connections.open(socket);
  });
  const looking = setInterval(() => options.slowReaders.look(), CHECK_CONNECTIONS_MS).unref();
  server.on('drop', (dropped) =>
    options.securityLog.record({ event: 'excess_connections', reason: 'all', address: dropped?.remoteAddress }),
  );
  server.setTimeout(options.stalledTimeoutMs, (socket: Socket) => onSilence(socket, exchanges.get(socket), options));
  server.on('checkExpectation', onRequest);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Whoever reads the body asks for it first. Without that, what follows on the connection would be in doubt.
    response.shouldKeepAlive = false;
    onRequest(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseBytes(error, socket, exchanges.get(socket), options),
  );
  server.once('close', () => clearInterval(looking));
  return createHttpApp(server, {
    ...options,
    onDraining() {
      options.ages.endAll();
      options.onDraining();
    },
  });
}

/**
 * Nothing was sent or received for a while. That is right while the service itself is at work, and not while a client
 * leaves its answer unread, or its request half sent.
 */
function onSilence(socket: Socket, exchange: Exchange | undefined, { stalledTimeoutMs }: HttpServerOptions): void {
  const isUnread = socket.writableLength > 0;
  const isHalfSent = exchange !== undefined && !exchange.request.complete && exchange.request.readableLength === 0;
  if (!exchange || isUnread || isHalfSent) socket.destroy();
  else socket.setTimeout(stalledTimeoutMs);
}

function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Socket,
  exchange: Exchange | undefined,
  { headerBytesAtMost, commonHeaders, securityLog }: HttpServerOptions,
): void {
  // What is read next would be taken for the answer to a request that has arrived whole, and may be carried out.
  const isOwedAnother = exchange !== undefined && (exchange.request.complete || exchange.response.headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || isOwedAnother) {
    socket.destroy();
    return;
  }
  const fault = unreadableFault(error, headerBytesAtMost);
  const { remoteAddress: address } = socket;
  const requestId = answerUnreadable(socket, fault, commonHeaders);
  securityLog.record({ event: 'input_validation_fail', reason: fault.code, address, requestId });
}
