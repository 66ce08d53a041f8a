import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { App } from '@saleschannel/runtime';
import { newId } from '@saleschannel/primitives';

/** What one header block may hold. More than that is answered 431. */
const HEADER_BYTES_AT_MOST = 16 * 1_024;
const HEADERS_TIMEOUT_MS = 20_000;
/** A whole request: long, for imports. Other bodies have a limit of their own. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** Longer than that of usual load balancers, which must be the ones to close. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const CHECK_CONNECTIONS_MS = 5_000;
/** How long requests under way may take when the process stops. */
const DRAIN_LIMIT_MS = 15_000;
const DRAIN_STEP_MS = 100;

export interface HttpServerOptions {
  host: string;
  /** 0 takes a free port. */
  port: number;
  maxConnections: number;
  onRequest: RequestListener;
  /** Called before connections are closed. */
  onStopping(): void;
}

/** node:http with limits, and an end that loses no request under way. */
export function createHttpServer(options: HttpServerOptions): App {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_AT_MOST,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // Repeated headers become visible: two Authorization headers must not pass for the first of them.
      joinDuplicateHeaders: true,
      // A request without Host is refused like any other, with problem details. Node's own answer has none.
      requireHostHeader: false,
    },
    options.onRequest,
  );
  server.maxConnections = options.maxConnections;
  server.on('checkExpectation', options.onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseBytes(error, socket as Socket));
  return {
    get address() {
      const bound = server.address() as AddressInfo | null;
      return `${options.host}:${bound?.port ?? options.port}`;
    },
    start: () => listen(server, options),
    async stop() {
      options.onStopping();
      await drain(server);
    },
  };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken
          ? new Error(`port ${port} of ${host} is taken: set GATEWAY_PORT to a free one`, { cause: error })
          : error,
      );
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const step = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await closed;
  clearInterval(step);
  clearTimeout(limit);
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Answers bytes that are no HTTP request. There is no path or request to name, and no type of problem but the status
 * (RFC 9457 section 4.2.1).
 */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const requestId = newId();
  const body = JSON.stringify({
    type: 'about:blank',
    title: titles[status],
    status,
    detail: 'The request cannot be read.',
    instance: '/',
    requestId,
  });
  const headers = [
    `HTTP/1.1 ${status} ${titles[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
