import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '@saleschannel/runtime';
import express, { type Express } from 'express';

/** The cookies of a session are long. */
const HEADER_BYTES_AT_MOST = 32_768;
const HEADERS_TIMEOUT_MS = 20_000;
/** A whole request with its body. */
const REQUEST_TIMEOUT_MS = 300_000;
/** Longer than that of usual load balancers, which must be the ones to close. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const CONNECTIONS_AT_MOST = 10_000;
/** How long requests under way may take when the process stops. */
const DRAIN_LIMIT_MS = 15_000;
const DRAIN_STEP_MS = 100;

export interface WebServerOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The variable that the port comes from. */
  readonly portVariable: string;
  readonly app: Express;
  /** Called first when the server stops: ends what does not end by itself. */
  onStopping(): void;
}

/** An Express application with what all of ours have. @param trustedProxies whose X-Forwarded-For is believed */
export function createExpress(trustedProxies: readonly string[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  app.set('query parser', 'simple');
  // Sessions are not for sharing, so what is said of them has no tags. Files bring their own.
  app.set('etag', false);
  // Browsers ask for it by themselves, beside pages that name no icon: those without script and style.
  app.get('/favicon.ico', (_request, response) => void response.set('Cache-Control', 'max-age=86400').sendStatus(204));
  return app;
}

/** node:http with limits, and an end that loses no request under way. */
export function createWebServer({ host, port, portVariable, app, onStopping }: WebServerOptions): App {
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
  return {
    get address() {
      const bound = server.address() as AddressInfo | null;
      return `${host}:${bound?.port ?? port}`;
    },
    start: () =>
      new Promise((resolve, reject) => {
        const onError = (error: NodeJS.ErrnoException): void => {
          const isTaken = error.code === 'EADDRINUSE';
          const taken = `port ${port} of ${host} is taken: set ${portVariable} to a free one`;
          reject(isTaken ? new Error(taken, { cause: error }) : error);
        };
        server.once('error', onError);
        server.listen(port, host, () => {
          server.off('error', onError);
          resolve();
        });
      }),
    async stop() {
      onStopping();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const step = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
      const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
      await closed;
      clearInterval(step);
      clearTimeout(limit);
    },
  };
}
