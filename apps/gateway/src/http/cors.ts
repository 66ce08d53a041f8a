import cors from 'cors';
import type { RequestHandler } from 'express';

const PREFLIGHT_SECONDS = 600;

/** Caches must not use the answer to one origin for another. */
const varyByOrigin: RequestHandler = (_request, response, next) => {
  response.vary('Origin');
  next();
};

/**
 * Allows pages of these origins to call the API. Pages set credentials in a header themselves: the browser sends none.
 * Requests of other origins get no CORS headers.
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
