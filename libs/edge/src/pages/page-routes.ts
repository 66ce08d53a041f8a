import { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import { nothingHere } from './problem.ts';
import type { WebFiles } from './web-files.ts';

const pathsShape = z.array(z.string().regex(/^\/[\w/:-]*$/));

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);

/** Which paths a build of the pages has. Pages may be built again while the server runs. */
class Paths {
  readonly #files: WebFiles;
  #text: string | undefined;
  #patterns: readonly RegExp[] = [];

  constructor(files: WebFiles) {
    this.#files = files;
  }

  has(path: string): boolean {
    const text = this.#files.text('paths.json');
    if (text !== this.#text) {
      this.#text = text;
      this.#patterns = pathsShape.parse(JSON.parse(text ?? '[]')).map(patternOf);
    }
    return this.#patterns.some((pattern) => pattern.test(path));
  }
}

/**
 * One page serves all its paths, and shows what belongs to the one it was asked for. Its build says which ones there
 * are. For others it says that there is nothing, with the status that says so too.
 * @param unknown handles a path that the page does not know first, and goes on for whom the page shall answer
 */
export function pageRoutes(files: WebFiles, unknown?: RequestHandler): Router {
  const router = Router();
  const paths = new Paths(files);
  if (unknown) {
    router.get('/{*rest}', (request, response, next) =>
      paths.has(request.path) ? next() : unknown(request, response, next),
    );
  }
  router.get('/{*rest}', (request, response) => files.sendPage(request, response, paths.has(request.path) ? 200 : 404));
  router.use(nothingHere);
  return router;
}
