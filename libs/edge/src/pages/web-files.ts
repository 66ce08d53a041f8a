import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { z } from 'zod';
import { sandboxBanner } from './html.ts';
import { notFoundHandler } from './problem.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/** Encodings that the build may have written next to a file, best first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATED = 'no-cache';
const BYTES_AT_MOST = 64 * 1_048_576;

interface WebFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/**
 * Files of a built page, read at the start, so that no path can reach other files. Files below `assets/` have a hash in
 * their name and never change.
 */
export class WebFiles {
  readonly #folder: string;
  readonly #page: string;
  readonly #isSandbox: boolean;
  #files: ReadonlyMap<string, WebFile> = new Map();
  #builtAtMs = 0;

  /**
   * @param page file name of the page
   * @param isSandbox true: adds the banner to the page, so that it does not depend on scripts
   * @throws Error if the folder has no page
   */
  constructor(folder: string, page: string, isSandbox: boolean) {
    this.#folder = folder;
    this.#page = page;
    this.#isSandbox = isSandbox;
    if (!existsSync(join(folder, page))) throw new Error(`${folder} has no ${page}: build the pages first`);
    this.#read();
  }

  get assets(): RequestHandler {
    return (request, response, next) => {
      const file = this.#files.get(`assets${request.path}`);
      if (!file || !['GET', 'HEAD'].includes(request.method)) return next();
      response.set('Cache-Control', IMMUTABLE);
      send(request, response, file);
    };
  }

  sendPage(request: Request, response: Response, status = 200): void {
    this.#reloadIfRebuilt();
    const page = this.#files.get(this.#page);
    if (!page) throw new Error(`${this.#page} was removed`);
    response.status(status).set('Cache-Control', REVALIDATED);
    send(request, response, page);
  }

  /** Returns a text file of the build, for the server itself. */
  readText(name: string): string | undefined {
    this.#reloadIfRebuilt();
    return this.#files.get(name)?.plain.toString('utf8');
  }

  /** Allows developers to rebuild pages while the server runs. */
  #reloadIfRebuilt(): void {
    const stats = statSync(join(this.#folder, this.#page), { throwIfNoEntry: false });
    if (stats && stats.mtimeMs !== this.#builtAtMs) this.#read();
  }

  #read(): void {
    const names = globSync('**/*.*', { cwd: this.#folder, withFileTypes: false }).filter(
      (name) => extname(name) in types,
    );
    let bytes = 0;
    const readContent = (name: string): Buffer => {
      const content = readFileSync(join(this.#folder, name));
      bytes += content.length;
      if (bytes > BYTES_AT_MOST) throw new Error(`${this.#folder} has more than ${BYTES_AT_MOST} bytes`);
      return content;
    };
    this.#files = new Map(
      names.map((name) => {
        const hasBanner = this.#isSandbox && name === this.#page;
        const plain = hasBanner ? withBanner(readContent(name)) : readContent(name);
        const encoded = encodings.flatMap(([encoding, ending]): [string, Buffer][] =>
          !hasBanner && existsSync(join(this.#folder, name + ending)) ? [[encoding, readContent(name + ending)]] : [],
        );
        const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
        const type = types[extname(name)] ?? 'application/octet-stream';
        return [name.replaceAll('\\', '/'), { type, etag, plain, encoded: new Map(encoded) }];
      }),
    );
    this.#builtAtMs = statSync(join(this.#folder, this.#page)).mtimeMs;
  }
}

function withBanner(page: Buffer): Buffer {
  const text = page.toString('utf8');
  if (!text.includes('<body>')) throw new Error('the page has no <body> for the sandbox banner');
  return Buffer.from(text.replace('<body>', `<body>${sandboxBanner.toString()}`));
}

function send(request: Request, response: Response, { type, etag, plain, encoded }: WebFile): void {
  const accepted = encodings.find(([encoding]) => encoded.has(encoding) && request.acceptsEncodings(encoding));
  const body = (accepted && encoded.get(accepted[0])) ?? plain;
  response.set({
    'Content-Type': type,
    Vary: 'Accept-Encoding',
    ETag: accepted ? etag.replace(/"$/, `-${accepted[0]}"`) : etag,
  });
  if (accepted) response.set('Content-Encoding', accepted[0]);
  // Express handles If-None-Match and HEAD.
  response.send(body);
}

const pathsShape = z.array(z.string().regex(/^\/[\w/:-]*$/));

const toPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);

/** Paths of a build of the pages. Pages may be rebuilt while the server runs. */
class Paths {
  readonly #files: WebFiles;
  #text: string | undefined;
  #patterns: readonly RegExp[] = [];

  constructor(files: WebFiles) {
    this.#files = files;
  }

  has(path: string): boolean {
    const text = this.#files.readText('paths.json');
    if (text !== this.#text) {
      this.#text = text;
      this.#patterns = pathsShape.parse(JSON.parse(text ?? '[]')).map(toPattern);
    }
    return this.#patterns.some((pattern) => pattern.test(path));
  }
}

/**
 * Serves the page at all of its paths, which its build lists, and with status 404 at all others.
 * @param unknown runs first for other paths. It calls `next` if the page should answer
 */
export function createPageRoutes(files: WebFiles, unknown?: RequestHandler): Router {
  const router = Router();
  const paths = new Paths(files);
  if (unknown) {
    router.get('/{*rest}', (request, response, next) =>
      paths.has(request.path) ? next() : unknown(request, response, next),
    );
  }
  router.get('/{*rest}', (request, response) => files.sendPage(request, response, paths.has(request.path) ? 200 : 404));
  router.use(notFoundHandler);
  return router;
}
