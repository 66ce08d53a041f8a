import { Sealer } from '@saleschannel/auth';
import type { App, HttpAppOptions, Logger } from '@saleschannel/runtime';
import { Router, type Express } from 'express';
import { SecurityLog } from '../index.ts';
import { CookieJar } from './cookies.ts';
import { OidcClient, type OidcOptions } from './oidc.ts';
import { createPolicyReportHandler } from './policy-reports.ts';
import { createProblemHandler } from './problem.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { SessionRecords, type SessionDirectory } from './session-records.ts';
import { Sessions } from './sessions.ts';
import { createSignInRoutes, type SignInOptions } from './sign-in.ts';
import { createExpress, createWebServer } from './web-server.ts';

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

/** Creates the parts of a site, and a function that serves its application. */
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
  /** Adds the site's own routes. */
  addRoutes(app: Express): void;
  /** Whether the services that every page needs are reachable. */
  isReady(): Promise<boolean>;
}

/** Creates the application of a site: headers, health, reports of browsers, sign-in, then its own routes. */
export function createSiteApp(site: Site, { addRoutes, isReady }: SiteRoutes): Express {
  const { trustedProxies, isSandbox, publicUrl, hstsMaxAgeSeconds, now, logger } = site;
  const app = createExpress(trustedProxies, isSandbox);
  app.use(createSecurityHeaders({ publicUrl, hstsMaxAgeSeconds, reportPath: REPORT_PATH }));
  app.use(healthRoutes(async () => !site.isDraining() && isReady()));
  app.post(REPORT_PATH, createPolicyReportHandler(logger, now));
  app.use(createSignInRoutes(site));
  addRoutes(app);
  app.use(createProblemHandler((error) => logger.error({ err: error }, 'request failed')));
  return app;
}

function healthRoutes(isReady: () => Promise<boolean>): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.set('Cache-Control', 'no-store').json({ status: 'up' }));
  router.get('/readyz', async (_request, response) => {
    const [status, text] = (await isReady()) ? [200, 'up'] : [503, 'down'];
    response.status(status).set('Cache-Control', 'no-store').json({ status: text });
  });
  return router;
}
