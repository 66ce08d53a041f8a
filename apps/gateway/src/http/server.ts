import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGuardedServer, type SecurityLog } from '@saleschannel/edge';
import { createHttpApp, type App, type HttpAppOptions } from '@saleschannel/runtime';
import type { ConnectionAges, Connections, SlowReaders } from './connections.ts';

const CHECK_CONNECTIONS_MS = 5_000;

export interface HttpServerOptions extends HttpAppOptions {
  readonly maxConnections: number;
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  readonly stalledTimeoutMs: number;
  readonly ages: ConnectionAges;
  readonly connections: Connections;
  readonly slowReaders: SlowReaders;
  readonly securityLog: SecurityLog;
  readonly commonHeaders: Readonly<Record<string, string>>;
  readonly onRequest: RequestListener;
}

/** Creates the server, with limits on connections, clients that read slowly and malformed messages. */
export function createHttpServer(options: HttpServerOptions): App {
  const { ages, connections, slowReaders, securityLog } = options;
  const { server, onRequest } = createGuardedServer({
    ...options,
    problemHeaders: options.commonHeaders,
    shouldAnswer: ({ socket }, response, isBusy) => ages.shouldAnswer(response, socket, isBusy),
    node: {
      connectionsCheckingInterval: Math.min(CHECK_CONNECTIONS_MS, options.headersTimeoutMs),
      // Keeps repeated headers visible: two Authorization headers must not pass for the first of them.
      joinDuplicateHeaders: true,
      // The pipeline refuses a request without Host with problem details. The answer of Node has none.
      requireHostHeader: false,
    },
  });
  // Node would drop further headers silently. Their bytes are limited instead.
  server.maxHeadersCount = 0;
  server.on('connection', (socket: Socket) => {
    slowReaders.watch(socket);
    ages.watch(socket);
    connections.add(socket);
  });
  const checking = setInterval(() => slowReaders.check(), CHECK_CONNECTIONS_MS).unref();
  server.once('close', () => clearInterval(checking));
  server.on('drop', (dropped) =>
    securityLog.record({ event: 'excess_connections', reason: 'all', address: dropped?.remoteAddress }),
  );
  server.on('checkExpectation', onRequest);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Until the body is asked for, the start of the next message on the connection would be in doubt.
    response.shouldKeepAlive = false;
    onRequest(request, response);
  });
  return createHttpApp(server, {
    ...options,
    onDraining() {
      ages.endAll();
      options.onDraining();
    },
  });
}
