import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sealer } from '@saleschannel/auth';
import {
  createExpress,
  nothingHere,
  pageRoutes,
  policyReports,
  problemHandler,
  requireOwnPage,
  securityHeaders,
  sendError,
  signInRoutes,
  WebFiles,
  type CookieJar,
  type OidcClient,
  type Sessions,
} from '@saleschannel/edge/pages';
import type { SecurityLog, WantedSignIn } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import type { Logger } from '@saleschannel/runtime';
import { Router, type Express } from 'express';
import { readPlaces } from '../contract/operations.ts';
import type { Operators } from '../operators.ts';
import type { Operations } from './operation.ts';
import { pipelineOf } from './pipeline.ts';

export interface RoutesOptions {
  readonly application: string;
  readonly publicUrl: URL;
  readonly isSandbox: boolean;
  readonly hstsMaxAgeSeconds: number;
  readonly webFolder: string;
  readonly cookies: CookieJar;
  readonly sealer: Sealer;
  readonly oidc: OidcClient;
  readonly sessions: Sessions;
  readonly operators: Operators;
  readonly operations: Operations;
  readonly wantedSignIn: WantedSignIn;
  readonly securityLog: SecurityLog;
  isDraining(): boolean;
  readonly now: () => number;
  readonly logger: Logger;
}

const REPORT_PATH = '/csp-reports';
const PAGE = 'index.html';

/** Every path of the console, in the order in which it is looked for. */
export function createRoutes(options: RoutesOptions): Express {
  const { publicUrl, hstsMaxAgeSeconds, securityLog, isDraining, now, logger } = options;
  const app = createExpress([], options.isSandbox);
  app.use(securityHeaders({ publicUrl, hstsMaxAgeSeconds, reportPath: REPORT_PATH }));
  app.use(healthRoutes(isDraining));
  app.post(REPORT_PATH, policyReports(logger, now));
  app.use(signInRoutes(options));
  app.use('/operator/v1', requireOwnPage(publicUrl, securityLog), operationRoutes(options));
  addPages(app, options);
  app.use(problemHandler((error) => logger.error({ err: error }, 'request failed')));
  return app;
}

/** It is ready without the services: an operator looks at it when they are not. */
function healthRoutes(isDraining: () => boolean): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => void response.set('Cache-Control', 'no-store').json({ status: 'up' }));
  router.get('/readyz', (_request, response) => {
    const isReady = !isDraining();
    response
      .status(isReady ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status: isReady ? 'up' : 'down' });
  });
  return router;
}

function operationRoutes({ operations, ...options }: RoutesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const pipeline = pipelineOf(options);
  for (const [path, places] of Map.groupBy(readPlaces(), (place) => place.path)) {
    const route = router.route(path);
    for (const place of places) route[place.method](pipeline(place, operations[place.id]));
    const allowed = places.map(({ method }) => method.toUpperCase()).join(', ');
    route.all((request, response) => {
      response.set('Allow', allowed);
      sendError(request, response, new DomainError('method-not-allowed', `This path only supports ${allowed}.`));
    });
  }
  router.use((request, response) =>
    sendError(request, response, new DomainError('route-not-found', 'The console has no operation at this path.')),
  );
  return router;
}

/** The operations are there without pages too, as before these were built. */
function addPages(app: Express, { webFolder, isSandbox, logger }: RoutesOptions): void {
  if (!existsSync(join(webFolder, PAGE))) {
    logger.warn(`there is no ${PAGE} in ${webFolder}: the console has no pages`);
    app.use(nothingHere);
    return;
  }
  const files = new WebFiles(webFolder, PAGE, isSandbox);
  app.use('/assets', files.assets, nothingHere);
  app.use(pageRoutes(files));
}
