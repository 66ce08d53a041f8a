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
} from '@saleschannel/edge/pages';
import type { SecurityLog } from '@saleschannel/edge';
import { SECURITY_TXT, SECURITY_TXT_TYPE, securityTxt, type Logger } from '@saleschannel/runtime';
import type { Express } from 'express';
import { healthRoutes } from './health.ts';
import type { PdfPrinter } from './public/pdf/printer.ts';
import type { Verifier } from './public/verify/verifier.ts';
import { publicRoutes } from './public-routes.ts';

export interface RoutesOptions {
  readonly application: string;
  readonly publicUrl: URL;
  readonly trustedProxies: readonly string[];
  readonly isSandbox: boolean;
  readonly securityContact: string | undefined;
  readonly hstsMaxAgeSeconds: number;
  readonly files: WebFiles;
  readonly cookies: CookieJar;
  readonly sealer: Sealer;
  readonly oidc: OidcClient;
  readonly sessions: Sessions;
  readonly upstream: Upstream;
  readonly printer: PdfPrinter;
  readonly verifier: Verifier;
  readonly securityLog: SecurityLog;
  isDraining(): boolean;
  readonly now: () => number;
  readonly logger: Logger;
}

const REPORT_PATH = '/csp-reports';

/** Every path of the portal, in the order in which it is looked for. */
export function createRoutes(options: RoutesOptions): Express {
  const { publicUrl, files, upstream, sessions, securityLog, isDraining, now, logger } = options;
  const app = createExpress(options.trustedProxies, options.isSandbox);
  app.use(securityHeaders({ publicUrl, hstsMaxAgeSeconds: options.hstsMaxAgeSeconds, reportPath: REPORT_PATH }));
  app.use(healthRoutes({ upstream, isDraining }));
  const { securityContact: contact } = options;
  app.get(SECURITY_TXT, (request, response, next) => {
    if (contact === undefined) return nothingHere(request, response, next);
    response.type(SECURITY_TXT_TYPE).send(securityTxt(contact, now()));
  });
  app.post(REPORT_PATH, policyReports(logger, now));
  app.use(signInRoutes(options));
  app.use('/api', requireOwnPage(publicUrl, securityLog), upstream.handler);
  app.use('/assets', files.assets, nothingHere);
  const { router, nowhere } = publicRoutes(options);
  app.use(router);
  // Who is signed in sees that in the frame of their pages.
  app.use(
    pageRoutes(files, async (request, response, next) => {
      if (await sessions.read(request, response)) next();
      else nowhere(response);
    }),
  );
  app.use(problemHandler((error) => logger.error({ err: error }, 'request failed')));
  return app;
}
