import {
  createSiteApp,
  notFoundHandler,
  createPageRoutes,
  requireOwnPage,
  type Site,
  type Upstream,
  type WebFiles,
} from '@saleschannel/edge/pages';
import { createReadiness, SECURITY_TXT, SECURITY_TXT_TYPE, formatSecurityTxt } from '@saleschannel/runtime';
import type { Express } from 'express';
import type { PdfPrinter } from './public/pdf/printer.ts';
import type { Verifier } from './public/verify/verifier.ts';
import { createPublicRoutes } from './public-routes.ts';

const PROBE_TIMEOUT_MS = 1_000;
const READINESS_OF_API = '/readyz';

export interface RoutesOptions {
  readonly site: Site;
  readonly securityContact: string | undefined;
  readonly files: WebFiles;
  readonly upstream: Upstream;
  readonly printer: PdfPrinter;
  readonly verifier: Verifier;
}

export function createRoutes({ site, securityContact, files, upstream, printer, verifier }: RoutesOptions): Express {
  const { publicUrl, sessions, securityLog, now } = site;
  return createSiteApp(site, {
    isReady: createReadiness([() => upstream.isReady(READINESS_OF_API, PROBE_TIMEOUT_MS)]),
    addRoutes(app) {
      app.get(SECURITY_TXT, (request, response, next) => {
        if (securityContact === undefined) return notFoundHandler(request, response, next);
        response.type(SECURITY_TXT_TYPE).send(formatSecurityTxt(securityContact, now()));
      });
      app.use('/api', requireOwnPage(publicUrl, securityLog), upstream.handler);
      app.use('/assets', files.assets, notFoundHandler);
      const { router, sendNotFound } = createPublicRoutes({ ...site, upstream, printer, verifier });
      app.use(router);
      // Signed-in users see unknown addresses in the frame of their pages.
      app.use(
        createPageRoutes(files, async (request, response, next) => {
          if (await sessions.read(request, response)) next();
          else sendNotFound(response);
        }),
      );
    },
  });
}
