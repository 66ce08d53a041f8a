import type { RequestHandler } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id';
const RESPONSE_HEADERS = 'Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';
const PREFLIGHT_SECONDS = '600';

/** Lets pages of the named origins call the API. Credentials travel in a header that a page sets itself, so none are sent by the browser. */
export function createCors(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    response.setHeader('Vary', 'Origin');
    const origin = request.headers.origin;
    if (origin !== undefined && allowed.has(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
        response.writeHead(204, {
          'Access-Control-Allow-Methods': METHODS,
          'Access-Control-Allow-Headers': REQUEST_HEADERS,
          'Access-Control-Max-Age': PREFLIGHT_SECONDS,
        });
        response.end();
        return;
      }
    }
    next();
  };
}
