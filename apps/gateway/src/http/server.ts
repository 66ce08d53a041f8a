import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createGuardedServer, type GuardedServerOptions, createRefusal } from '@saleschannel/edge';
import { createHttpApp, type App, type HttpAppOptions } from '@saleschannel/runtime';
import { DomainError, type FaultCode } from '@saleschannel/errors';
import type { ConnectionAges, Connections, SlowReaders } from './connections.ts';

/** Host (RFC 3986 section 3.2.2) with an optional port. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?$/;
/** Separator with which node:http joins repeated headers. */
const JOINED = ', ';

/** Error for a request that node:http accepts although its meaning is ambiguous. */
const malformed = (detail: string): DomainError => new DomainError('malformed-request', detail);

export const findMessageFault = (request: IncomingMessage): DomainError | undefined =>
  hostFault(request) ?? codingFault(request);

/** RFC 9112 section 3.2. */
function hostFault({ headers: { host }, httpVersion }: IncomingMessage): DomainError | undefined {
  const refusal = (detail: string, code: FaultCode) => createRefusal([{ parameter: 'Host', detail, code }]);
  if (host === undefined) return httpVersion === '1.1' ? refusal('is required', 'required') : undefined;
  if (HOST.test(host)) return undefined;
  return host.includes(JOINED)
    ? refusal('is given more than once', 'repeated-parameter')
    : refusal('must be a host name or address, with an optional port', 'format');
}

/** RFC 9112 section 6.1. A body in another coding would be misread. 501 would count as a failure of the service. */
function codingFault({ headers, httpVersion }: IncomingMessage): DomainError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion !== '1.1') return malformed('Transfer-Encoding needs HTTP/1.1.');
  return coding.trim().toLowerCase() === 'chunked' ? undefined : malformed('The only transfer coding is "chunked".');
}

const CHECK_CONNECTIONS_MS = 5_000;

export interface HttpServerOptions
  extends HttpAppOptions, Omit<GuardedServerOptions, 'node' | 'problemHeaders' | 'shouldAnswer'> {
  readonly ages: ConnectionAges;
  readonly connections: Connections;
  readonly slowReaders: SlowReaders;
  readonly commonHeaders: Readonly<Record<string, string>>;
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
