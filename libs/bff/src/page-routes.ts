import { Router } from 'express';
import { z } from 'zod';
import type { WebFiles } from './web-files.ts';

const pathsShape = z.array(z.string().regex(/^\/[\w/:-]*$/));

/**
 * One page serves all its paths, and shows what belongs to the one it was asked for. Its build says which ones there
 * are. For others it says that there is nothing, with the status that says so too.
 */
export function pageRoutes(files: WebFiles): Router {
  const router = Router();
  const paths = pathsShape.parse(JSON.parse(files.text('paths.json') ?? '[]'));
  for (const path of paths) router.get(path, (request, response) => files.sendPage(request, response));
  router.get('/{*rest}', (request, response) => files.sendPage(request, response, 404));
  return router;
}
