import { Router, type RequestHandler } from 'express';
import { z } from 'zod';
import { nothingHere } from './problem.ts';
import type { WebFiles } from './web-files.ts';

const pathsShape = z.array(z.string().regex(/^\/[\w/:-]*$/));

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);

/** Paths of a build of the pages. Pages may be rebuilt while the server runs. */
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
 * Serves the page at all of its paths, which its build lists, and with status 404 at all others.
 * @param unknown runs first for other paths. It calls `next` if the page should answer
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
