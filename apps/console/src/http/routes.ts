import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createSiteApp,
  notFoundHandler,
  createPageRoutes,
  requireOwnPage,
  sendError,
  WebFiles,
  type Site,
} from '@saleschannel/edge/pages';
import { DomainError } from '@saleschannel/errors';
import { Router, type Express } from 'express';
import { readOperationRoutes } from '../contract/operations.ts';
import type { Operations } from './operation.ts';
import { createPipeline, type PipelineOptions } from './pipeline.ts';

export interface RoutesOptions extends Pick<PipelineOptions, 'operators' | 'requiredSignIn'> {
  readonly site: Site;
  readonly webFolder: string;
  readonly operations: Operations;
}

const PAGE = 'index.html';

export const createRoutes = (options: RoutesOptions): Express =>
  createSiteApp(options.site, {
    // Ready without its backends: operators need the console during outages.
    isReady: () => Promise.resolve(true),
    addRoutes(app) {
      const { publicUrl, securityLog } = options.site;
      app.use('/operator/v1', requireOwnPage(publicUrl, securityLog), operationRoutes(options));
      addPages(app, options);
    },
  });

function operationRoutes({ site, operations, ...options }: RoutesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const pipeline = createPipeline({ ...site, ...options });
  for (const [path, group] of Map.groupBy(readOperationRoutes(), (each) => each.path)) {
    const route = router.route(path);
    for (const each of group) route[each.method](pipeline(each, operations[each.id]));
    const allowed = group.map(({ method }) => method.toUpperCase()).join(', ');
    route.all((_request, response) => {
      response.set('Allow', allowed);
      sendError(response, new DomainError('method-not-allowed', `This path only supports ${allowed}.`));
    });
  }
  router.use((_request, response) =>
    sendError(response, new DomainError('route-not-found', 'The console has no operation at this path.')),
  );
  return router;
}

/** Serves the pages. Operations also work without built pages. */
function addPages(app: Express, { webFolder, site: { isSandbox, logger } }: RoutesOptions): void {
  if (!existsSync(join(webFolder, PAGE))) {
    logger.warn(`there is no ${PAGE} in ${webFolder}: the console has no pages`);
    app.use(notFoundHandler);
    return;
  }
  const files = new WebFiles(webFolder, PAGE, isSandbox);
  app.use('/assets', files.assets, notFoundHandler);
  app.use(createPageRoutes(files));
}
