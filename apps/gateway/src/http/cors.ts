import cors from 'cors';
import type { RequestHandler } from 'express';

const PREFLIGHT_SECONDS = 600;

/** A cache must not give the answer for one origin to another. */
const varyByOrigin: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

/**
 * Lets pages of the named origins call the API. Credentials travel in a header that a page sets itself, so none are
 * sent by the browser. What other origins send is answered as if there were no CORS.
 */
export function createCors(origins: readonly string[]): RequestHandler[] {
  const allowed = new Set(origins);
  const allow = cors({
    origin: (origin, answer) => answer(null, origin !== undefined && allowed.has(origin) ? origin : false),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-None-Match',
      'Last-Event-ID',
      'Prefer',
      'X-Request-Id',
    ],
    exposedHeaders: [
      'Deprecation',
      'ETag',
      'Idempotency-Replayed',
      'Link',
      'Location',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'WWW-Authenticate',
      'X-Request-Id',
    ],
    maxAge: PREFLIGHT_SECONDS,
  });
  return [varyByOrigin, allow];
}
