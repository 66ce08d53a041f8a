import type { RequestHandler } from 'express';
import { currentPath } from './operations.ts';

/** When the current generation of the API took its place, as seconds since 1970 (RFC 9745 section 2). */
const DEPRECATED_SINCE = `@${Date.parse('2026-01-01T00:00:00Z') / 1_000}`;

/**
 * Tells on every answer of the previous generation, refusals included, that it is deprecated (RFC 9745), when it ends
 * (RFC 8594) and where its successor is (RFC 5829).
 */
export const deprecationNotice =
  (sunset: Date): RequestHandler =>
  (request, response, next) => {
    const { pathname } = new URL(request.originalUrl, 'http://localhost');
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    response.setHeader('Sunset', sunset.toUTCString());
    response.setHeader('Link', `<${currentPath(pathname)}>; rel="successor-version"`);
    next();
  };
