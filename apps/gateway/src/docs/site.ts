import { readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import express, { type RequestHandler } from 'express';

/** Allows the search, a WebAssembly module, and no inline scripts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const siteHeaders = { 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' };

const IMMUTABLE_FOLDER = `${sep}_astro${sep}`;
const IMMUTABLE = 'public, max-age=31536000, immutable';

const TEXT = 'text/plain; charset=utf-8';
/** Types of files shown as text. By default, `.ts` would be a video. */
const types: Readonly<Record<string, string>> = { '.ts': TEXT, '.proto': TEXT };
/** Extension of compressed copies, which are next to their files. */
const COMPRESSED = '.gz';

/** Returns undefined while the documentation is not built. */
export function readPage(folder: string, name: 'index.html' | '404.html'): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

type Headers = Readonly<Record<string, string>>;

const serveFiles = (folder: string, commonHeaders: Headers, encoding?: 'gzip'): RequestHandler =>
  express.static(folder, {
    cacheControl: false,
    dotfiles: 'ignore',
    index: encoding ? false : 'index.html',
    redirect: !encoding,
    setHeaders(response, path) {
      response.set({ ...commonHeaders, ...siteHeaders, Vary: 'Accept-Encoding' });
      if (path.includes(IMMUTABLE_FOLDER)) response.set('Cache-Control', IMMUTABLE);
      const name = encoding ? path.slice(0, -COMPRESSED.length) : path;
      const type = types[extname(name)];
      if (type !== undefined) response.set('Content-Type', type);
      else if (encoding) response.type(extname(name));
      if (encoding) response.set('Content-Encoding', encoding);
    },
  });

/**
 * Serves the files of the documentation (apps/docs) once they are built. Browsers get its 404 page; requests of
 * programs go on to the next handler.
 */
export function createSiteHandlers(folder: string, commonHeaders: Headers): RequestHandler[] {
  const plain = serveFiles(folder, commonHeaders);
  const compressed = serveFiles(folder, commonHeaders, 'gzip');
  return [
    (request, response, next) => {
      const { url } = request;
      const [path = url] = url.split('?', 1);
      if (!['GET', 'HEAD'].includes(request.method) || !request.acceptsEncodings('gzip'))
        return plain(request, response, next);
      request.url = `${path}${path.endsWith('/') ? 'index.html' : ''}${COMPRESSED}`;
      return compressed(request, response, (error) => {
        request.url = url;
        if (error) next(error);
        else plain(request, response, next);
      });
    },
    (request, response, next) => {
      const isBrowser = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
      const page = isBrowser ? readPage(folder, '404.html') : undefined;
      if (page === undefined) return next();
      response.status(404).set({ ...commonHeaders, ...siteHeaders, 'Cache-Control': 'no-store', Vary: 'Accept' });
      response.type('html').send(page);
    },
  ];
}
