import { Sealer } from '@saleschannel/auth';
import { type App, type HttpAppOptions, type Logger, createHttpApp } from '@saleschannel/runtime';
import express, { type Express } from 'express';
import { SecurityLog, createGuardedServer, discardRest } from '../index.ts';
import { CookieJar } from './cookies.ts';
import { OidcClient, type OidcOptions } from './oidc.ts';
import { createPolicyReportHandler, createSecurityHeaders } from './content-policy.ts';
import { createProblemHandler } from './problem.ts';
import { SessionRecords, type SessionDirectory } from './session-records.ts';
import { Sessions } from './sessions.ts';
import { createSignInRoutes, type SignInOptions } from './sign-in.ts';

/** Session cookies are long. */
const HEADER_BYTES_AT_MOST = 32_768;
const HEADERS_TIMEOUT_MS = 20_000;
const STALLED_MS = 60_000;
const CONNECTIONS_AT_MOST = 10_000;

interface WebServerOptions extends HttpAppOptions {
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

const REPORT_PATH = '/csp-reports';

/** Server of pages with sign-in: the portal or the console. */
export interface Site extends SignInOptions {
  /** Addresses whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly hstsMaxAgeSeconds: number;
  isDraining(): boolean;
  /** Aborts when the server closes its connections. */
  readonly closing: AbortSignal;
}

export interface SiteOptions extends Pick<
  Site,
  'application' | 'publicUrl' | 'trustedProxies' | 'isSandbox' | 'hstsMaxAgeSeconds' | 'now' | 'logger'
> {
  readonly server: Pick<HttpAppOptions, 'host' | 'port' | 'portVariable' | 'drainSeconds'>;
  readonly cookieKeys: readonly Uint8Array[];
  readonly oidc: Omit<OidcOptions, 'callbackUrl' | 'signedOutUrl' | 'now'>;
  readonly directory: SessionDirectory;
  readonly securityLogger: Logger;
}

/** Replaced by tests. */
export interface SiteParts {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Logger of the security log; by default that of the service. */
  readonly securityLogger?: Logger;
}

export function createSite(options: SiteOptions): { readonly site: Site; serve(app: Express): App } {
  const { server, cookieKeys, oidc: provider, directory, securityLogger, ...shared } = options;
  const { application, publicUrl, now } = shared;
  let isDraining = false;
  const closing = new AbortController();
  const cookies = new CookieJar({ application, isSecure: publicUrl.protocol === 'https:' });
  const sealer = new Sealer(cookieKeys);
  const oidc = new OidcClient({
    ...provider,
    callbackUrl: new URL('/callback', publicUrl).href,
    signedOutUrl: publicUrl.href,
    now,
  });
  const records = new SessionRecords(directory);
  const securityLog = new SecurityLog({ logger: securityLogger, now: () => performance.now() });
  const sessions = new Sessions({ application, cookies, sealer, oidc, records, securityLog, now });
  const parts = { cookies, sealer, oidc, sessions, securityLog };
  return {
    site: { ...shared, ...parts, isDraining: () => isDraining, closing: closing.signal },
    serve: (app) =>
      createWebServer({
        ...server,
        app,
        securityLog,
        onDraining: () => (isDraining = true),
        onClosing: () => closing.abort(),
      }),
  };
}

export interface SiteRoutes {
  addRoutes(app: Express): void;
  isReady(): Promise<boolean>;
}

/** Creates the application of a site: headers, health, reports of browsers, sign-in, then its own routes. */
export function createSiteApp(site: Site, { addRoutes, isReady }: SiteRoutes): Express {
  const { trustedProxies, isSandbox, publicUrl, hstsMaxAgeSeconds, now, logger } = site;
  const app = createExpress(trustedProxies, isSandbox);
  app.use(createSecurityHeaders(publicUrl, hstsMaxAgeSeconds, REPORT_PATH));
  addHealth(app, async () => !site.isDraining() && isReady());
  app.post(REPORT_PATH, createPolicyReportHandler(logger, now));
  app.use(createSignInRoutes(site));
  addRoutes(app);
  app.use(createProblemHandler((error) => logger.error({ err: error }, 'request failed')));
  return app;
}

function addHealth(app: Express, isReady: () => Promise<boolean>): void {
  app.get('/healthz', (_request, response) => void response.set('Cache-Control', 'no-store').json({ status: 'up' }));
  app.get('/readyz', async (_request, response) => {
    const [status, text] = (await isReady()) ? [200, 'up'] : [503, 'down'];
    response.status(status).set('Cache-Control', 'no-store').json({ status: text });
  });
}
