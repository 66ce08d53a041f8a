import { readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import express, { type RequestHandler } from 'express';

/** The search is a WebAssembly module. Nothing else than in other pages is allowed, and no script within a page. */
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

/** Below it files have a hash in their names. */
const IMMUTABLE_FOLDER = `${sep}_astro${sep}`;
const IMMUTABLE = 'public, max-age=31536000, immutable';

const TEXT = 'text/plain; charset=utf-8';
/** What is to be read as it is. By its ending alone the first would be a film. */
const types: Readonly<Record<string, string>> = { '.ts': TEXT, '.proto': TEXT };
/** What the build has compressed is beside the file itself. */
const COMPRESSED = '.gz';

/** A page of the documentation, or undefined while it is not built. */
export function pageOf(folder: string, name: 'index.html' | '404.html'): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

type Headers = Readonly<Record<string, string>>;

const filesOf = (folder: string, commonHeaders: Headers, encoding?: 'gzip'): RequestHandler =>
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
 * The files of the documentation (apps/docs), as soon as they are built. What is not there has a page for browsers.
 * Programs are left to others, who tell them so.
 */
export function siteFiles(folder: string, commonHeaders: Headers): RequestHandler[] {
  const plain = filesOf(folder, commonHeaders);
  const compressed = filesOf(folder, commonHeaders, 'gzip');
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
      const page = isBrowser ? pageOf(folder, '404.html') : undefined;
      if (page === undefined) return next();
      response.status(404).set({ ...commonHeaders, ...siteHeaders, 'Cache-Control': 'no-store', Vary: 'Accept' });
      response.type('html').send(page);
    },
  ];
}
