import type { Principal } from '@saleschannel/auth';
import type { DomainError, ErrorCode } from '@saleschannel/errors';
import { readClaimedKeyId } from '../authentication/credentials.ts';
import { SignInTooOld } from '../authentication/recent-sign-in.ts';
import type { RequestContext } from '../http/request-context.ts';
import { LoginsLimited } from '../limits/failed-logins.ts';
import { CrossSite } from './cross-site.ts';
import type { SecurityEntry, SecurityEvent } from '@saleschannel/edge';

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
