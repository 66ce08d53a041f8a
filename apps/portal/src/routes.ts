import type { Sealer } from '@saleschannel/auth';
import {
  createExpress,
  nothingHere,
  pageRoutes,
  policyReports,
  problemHandler,
  requireOwnPage,
  securityHeaders,
  signInRoutes,
  type CookieJar,
  type OidcClient,
  type Sessions,
  type Upstream,
  type WebFiles,
} from '@saleschannel/bff';
import type { Logger } from '@saleschannel/runtime';
import type { Express } from 'express';
import { healthRoutes } from './health.ts';
import type { PdfPrinter } from './public/pdf/printer.ts';
import { publicRoutes } from './public-routes.ts';

export interface RoutesOptions {
  readonly application: string;
  readonly publicUrl: URL;
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly hstsMaxAgeSeconds: number;
  readonly files: WebFiles;
  readonly cookies: CookieJar;
  readonly sealer: Sealer;
  readonly oidc: OidcClient;
  readonly sessions: Sessions;
  readonly upstream: Upstream;
  readonly printer: PdfPrinter;
  isDraining(): boolean;
  readonly now: () => number;
  readonly logger: Logger;
}

const REPORT_PATH = '/csp-reports';

/** Every path of the portal, in the order in which it is looked for. */
export function createRoutes(options: RoutesOptions): Express {
  const { publicUrl, files, upstream, isDraining, now, logger } = options;
  const app = createExpress(options.trustedProxies, options.isSandbox);
  app.use(securityHeaders({ publicUrl, hstsMaxAgeSeconds: options.hstsMaxAgeSeconds, reportPath: REPORT_PATH }));
  app.use(healthRoutes({ upstream, isDraining }));
  app.post(REPORT_PATH, ...policyReports(logger, now));
  app.use(signInRoutes(options));
  app.use('/api', requireOwnPage(publicUrl), upstream.handler);
  app.use('/assets', files.assets, nothingHere);
  app.use(publicRoutes(options));
  app.use(pageRoutes(files));
  app.use(problemHandler((error) => logger.error({ err: error }, 'request failed')));
  return app;
}
