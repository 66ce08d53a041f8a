import { createGuardedServer, discardRest, type SecurityLog } from '../index.ts';
import { createHttpApp, type App, type HttpAppOptions } from '@saleschannel/runtime';
import express, { type Express } from 'express';

/** Session cookies are long. */
const HEADER_BYTES_AT_MOST = 32_768;
const HEADERS_TIMEOUT_MS = 20_000;
const STALLED_MS = 60_000;
const CONNECTIONS_AT_MOST = 10_000;

export interface WebServerOptions extends HttpAppOptions {
  readonly app: Express;
  readonly securityLog: SecurityLog;
  /** Replaced by tests. */
  readonly stalledMs?: number;
}

/**
 * Creates an Express application with the settings of all servers of pages.
 * @param trustedProxies addresses whose X-Forwarded-For is trusted
 * @param isSandbox true: every answer has the header `Sandbox`
 */
export function createExpress(trustedProxies: readonly string[], isSandbox: boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', [...trustedProxies]);
  app.set('query parser', 'simple');
  // Answers about sessions are never cached. Files bring their own tags.
  app.set('etag', false);
  app.locals['isSandbox'] = isSandbox;
  if (isSandbox) {
    app.use((_request, response, next) => {
      response.set('Sandbox', 'true');
      next();
    });
  }
  // Browsers ask for it on pages without an icon: those without script and style.
  app.get('/favicon.ico', (_request, response) => void response.set('Cache-Control', 'max-age=86400').sendStatus(204));
  return app;
}

export function createWebServer({ app, securityLog, stalledMs = STALLED_MS, ...options }: WebServerOptions): App {
  const { server } = createGuardedServer({
    maxConnections: CONNECTIONS_AT_MOST,
    maxHeaderBytes: HEADER_BYTES_AT_MOST,
    headersTimeoutMs: HEADERS_TIMEOUT_MS,
    stalledTimeoutMs: stalledMs,
    problemHeaders: { 'Cache-Control': 'no-store' },
    securityLog,
    onRequest(request, response) {
      response.once('prefinish', () => discardRest(request, response));
      app(request, response);
    },
  });
  return createHttpApp(server, options);
}
