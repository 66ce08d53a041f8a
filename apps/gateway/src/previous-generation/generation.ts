import type { RequestHandler } from 'express';
import type { Contract } from '../contract/document.ts';
import type { Generation } from '../http/routes.ts';
import { derivePreviousContract } from './contract.ts';
import type { PreviousHandlers } from './handlers.ts';
import { toCurrentPath } from './operations.ts';

/**
 * Creates the previous generation of the API, which the gateway serves next to the current one.
 * @param current contract of the current generation
 * @param sunset announced end. Nothing is switched off by itself
 */
export const createPreviousGeneration = (current: Contract, handlers: PreviousHandlers, sunset: Date): Generation => ({
  contract: derivePreviousContract(current),
  handlers,
  preHandler: deprecationNotice(sunset),
  documentPath: '/openapi-previous.json',
});

/** Release of the current generation, as seconds since 1970 (RFC 9745 section 2). */
const DEPRECATED_SINCE = `@${Date.parse('2026-01-01T00:00:00Z') / 1_000}`;

/**
 * Adds the deprecation (RFC 9745), its end (RFC 8594) and the successor (RFC 5829) to every response, errors included.
 */
const deprecationNotice =
  (sunset: Date): RequestHandler =>
  (request, response, next) => {
    const { pathname } = new URL(request.originalUrl, 'http://localhost');
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    response.setHeader('Sunset', sunset.toUTCString());
    response.setHeader('Link', `<${toCurrentPath(pathname)}>; rel="successor-version"`);
    next();
  };
