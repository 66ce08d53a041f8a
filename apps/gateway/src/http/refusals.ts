import type { IncomingMessage } from 'node:http';
import type { Principal } from '@saleschannel/auth';
import type { SecurityEntry, SecurityEvent } from '@saleschannel/edge';
import { DomainError, type ErrorCode } from '@saleschannel/errors';
import { readClaimedKeyId, SignInTooOld } from '../authentication/credentials.ts';
import { LoginsLimited } from '../limits/failed-logins.ts';
import type { RequestContext } from './request-context.ts';

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

const events: Partial<Record<ErrorCode, SecurityEvent>> = {
  unauthenticated: 'authn_login_fail',
  forbidden: 'authz_fail',
  'rate-limited': 'excess_rate_limit_exceeded',
  'payload-too-large': 'input_validation_fail',
  'malformed-request': 'input_validation_fail',
};

function toEvent(error: DomainError): SecurityEvent | undefined {
  if (error instanceof LoginsLimited) return 'authn_login_lock';
  if (error instanceof CrossSite) return 'malicious_cors';
  if (error instanceof SignInTooOld) return 'authz_fail';
  return isHostRefused(error) ? 'input_validation_fail' : events[error.code];
}

function toReason(error: DomainError): string {
  if (error instanceof SignInTooOld) return 'sign-in-too-old';
  return isHostRefused(error) ? 'host' : error.code;
}

const isHostRefused = ({ violations }: DomainError): boolean =>
  violations.some(({ parameter }) => parameter === 'Host');

/** Creates the security entry of a refused request. Undefined for refusals without a security concern. */
export function createRefusalEntry(
  error: DomainError,
  { session, clientAddress, requestId, request }: RequestContext,
  operation: string,
): SecurityEntry | undefined {
  const event = toEvent(error);
  if (!event) return undefined;
  return {
    event,
    reason: toReason(error),
    address: clientAddress,
    operation,
    ...(session ? toActor(session.principal) : { claimedKeyId: readClaimedKeyId(request.headers.authorization) }),
    requestId,
  };
}

const toActor = (principal: Principal): Pick<SecurityEntry, 'actor' | 'keyId' | 'salesChannelId'> =>
  principal.kind === 'user'
    ? { actor: `user ${principal.userId}`, keyId: principal.keyId, salesChannelId: principal.salesChannelId }
    : { actor: `key ${principal.keyId}` };
