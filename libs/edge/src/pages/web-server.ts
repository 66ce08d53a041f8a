import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnreadable, discardRest, unreadableFault, type SecurityLog } from '../index.ts';
import { createHttpApp, type App, type HttpAppOptions } from '@saleschannel/runtime';
import express, { type Express } from 'express';
import { markAsSandbox } from './sandbox.ts';

/** The cookies of a session are long. */
const HEADER_BYTES_AT_MOST = 32_768;
const HEADERS_TIMEOUT_MS = 20_000;
/** A whole request: long, for files. One that stands still is given up before. */
const REQUEST_TIMEOUT_MS = 3_600_000;
/** After so long without a byte, a half-sent request or an unread answer is given up. */
const STALLED_MS = 60_000;
/** Longer than that of usual load balancers, which must be the ones to close. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const CONNECTIONS_AT_MOST = 10_000;

export interface WebServerOptions extends HttpAppOptions {
  readonly app: Express;
  readonly securityLog: SecurityLog;
  /** Replaced by tests. */
  readonly stalledMs?: number;
}

/**
 * An Express application with what all of ours have.
 * @param trustedProxies whose X-Forwarded-For is believed
 * @param isSandbox then every answer says so
 */
export function createExpress(trustedProxies: readonly string[], isSandbox: boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  app.set('query parser', 'simple');
  // Sessions are not for sharing, so what is said of them has no tags. Files bring their own.
  app.set('etag', false);
  markAsSandbox(app, isSandbox);
  // Browsers ask for it by themselves, beside pages that name no icon: those without script and style.
  app.get('/favicon.ico', (_request, response) => void response.set('Cache-Control', 'max-age=86400').sendStatus(204));
  return app;
}

/** node:http with limits. */
export function createWebServer({ app, securityLog, stalledMs = STALLED_MS, ...options }: WebServerOptions): App {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_AT_MOST,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    app,
  );
  server.maxConnections = CONNECTIONS_AT_MOST;
  const exchanges = new WeakMap<Socket, Exchange>();
  // Before the application, which may answer at once.
  server.prependListener('request', (request, response) => {
    const exchange = { request, response };
    exchanges.set(request.socket, exchange);
    response.once('prefinish', () => discardRest(request, response));
    response.once('close', () => {
      if (exchanges.get(request.socket) === exchange) exchanges.delete(request.socket);
    });
  });
  server.setTimeout(stalledMs, (socket: Socket) => closeStalled(socket, exchanges.get(socket)?.request, stalledMs));
  server.on('clientError', (error, socket) => {
    const exchange = exchanges.get(socket as Socket);
    const reason = refuseBytes(error, socket as Socket, exchange);
    const { remoteAddress: address } = socket as Socket;
    if (reason !== undefined) securityLog.record({ event: 'input_validation_fail', reason, address });
  });
  return createHttpApp(server, options);
}

/** A request under way on a connection. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Closes a silent connection when the other side is to send or to read. While an answer is being made, silence is
 * right.
 */
function closeStalled(socket: Socket, request: IncomingMessage | undefined, stalledMs: number): void {
  const isHalfSent = request?.complete === false && request.readableLength === 0;
  if (!request || isHalfSent || socket.writableLength > 0) socket.destroy();
  else socket.setTimeout(stalledMs);
}

/**
 * Answers bytes that are no HTTP request, unless they follow one whose answer is still owed.
 * @returns the code of the fault, where there was an answer
 */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, exchange: Exchange | undefined): string | undefined {
  const isOwedAnother = exchange !== undefined && (exchange.request.complete || exchange.response.headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || isOwedAnother) {
    socket.destroy();
    return undefined;
  }
  const fault = unreadableFault(error, HEADER_BYTES_AT_MOST);
  answerUnreadable(socket, fault, { 'Cache-Control': 'no-store' });
  return fault.code;
}
