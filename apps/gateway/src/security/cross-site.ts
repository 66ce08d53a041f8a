import type { IncomingMessage } from 'node:http';
import { DomainError } from '@saleschannel/errors';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests of this service's pages, or of a typed address. */
const OWN_SITES = new Set(['same-origin', 'none']);

/** Thrown for a request of a foreign page, with credentials that the browser remembers for this service. */
export class CrossSite extends DomainError {
  constructor() {
    super('forbidden', 'A page of another origin sent this request, and that origin is not allowed.');
  }
}

/**
 * Whether a changing request comes from a page of an origin that is not allowed. Browsers add remembered Basic
 * credentials to such requests, and mark them with Sec-Fetch-Site, or at least Origin. Programs send neither.
 */
export function isCrossSite({ method = '', headers }: IncomingMessage, allowedOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const { origin, host } = headers;
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !OWN_SITES.has(String(site));
  return origin !== undefined && URL.parse(origin)?.host !== host;
}
