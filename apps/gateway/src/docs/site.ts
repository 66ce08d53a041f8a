import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
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

/** The first page of the documentation, or undefined while it is not built. */
export function firstPageOf(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    return undefined;
  }
}

/** The files of the documentation (apps/docs), as soon as they are built. What is not there is left to others. */
export const siteFiles = (folder: string, commonHeaders: Readonly<Record<string, string>>): RequestHandler =>
  express.static(folder, {
    cacheControl: false,
    dotfiles: 'ignore',
    index: 'index.html',
    setHeaders(response, path) {
      response.set({ ...commonHeaders, ...siteHeaders });
      if (path.includes(IMMUTABLE_FOLDER)) response.set('Cache-Control', IMMUTABLE);
    },
  });
