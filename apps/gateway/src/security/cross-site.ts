import type { IncomingMessage } from 'node:http';
import { DomainError } from '@saleschannel/errors';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Sent by this service's own page, or by somebody who typed an address. */
const OWN_SITES = new Set(['same-origin', 'none']);

/** A browser sent this for the page of somebody else, with the credentials that it remembers for this service. */
export class CrossSite extends DomainError {
  constructor() {
    super('forbidden', 'A page of another origin sent this request, and that origin is not allowed to.');
  }
}

/**
 * Whether a request that changes something was made by a page of another origin than those that are allowed. Browsers
 * send the Basic credentials that they remember along with such requests. They say so in Sec-Fetch-Site, and the older
 * ones at least name the Origin. Programs send neither.
 */
export function isCrossSite({ method = '', headers }: IncomingMessage, allowedOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const { origin, host } = headers;
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !OWN_SITES.has(String(site));
  return origin !== undefined && URL.parse(origin)?.host !== host;
}
