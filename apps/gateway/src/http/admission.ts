import { hash } from 'node:crypto';
import { accessRules, receiversByOperation, requireAccess, type AccessRule, type Receivers } from '@saleschannel/auth';
import { toNetwork } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import type { Authenticator, CredentialScope, Session } from '../authentication/authenticator.ts';
import {
  challenges,
  readClaimedKeyId,
  unauthenticated,
  type ApiSurface,
  requireRecentSignIn,
  SignInTooOld,
} from '../authentication/credentials.ts';
import type { ContractOperation } from '../contract/document.ts';
import type { OperationId } from '../contract/operations.ts';
import { countFurtherRequests, type ThrottledResponses, type RequestLimit } from '../limits/rate-limit.ts';
import type { FailedLogins } from '../limits/failed-logins.ts';
import { CrossSite, isCrossSite } from './refusals.ts';
import type { Connections } from './connections.ts';
import type { RequestContext } from './request-context.ts';

/** Access rule of an operation, its kind of credentials, and the services that run it. */
export interface Gate extends CredentialScope {
  readonly rule: AccessRule;
}

/** Returns the gate of an operation, undefined for a public one. @throws Error without an access rule */
export function createGate({ id, principal }: ContractOperation<OperationId>): Gate | undefined {
  if (principal === 'public') return undefined;
  const rules: Readonly<Record<string, AccessRule>> = accessRules;
  const rule = rules[id];
  const receiversById: Readonly<Record<string, Receivers>> = receiversByOperation;
  const receivers = receiversById[id];
  if (!rule || !receivers) throw new Error(`${id} has no access rule or no receivers`);
  return { surface: principal === 'registry' ? 'REGISTRY' : 'SALES_CHANNEL', rule, receivers };
}

export interface AdmissionOptions {
  readonly authenticator: Authenticator;
  readonly userLimit: RequestLimit;
  readonly channelLimit: RequestLimit;
  readonly addressLimit: RequestLimit;
  /** Delays the refusal of requests above their limit. */
  readonly throttledResponses: ThrottledResponses;
  readonly failedLogins: FailedLogins;
  readonly connections: Connections;
  readonly origins: ReadonlySet<string>;
}

/** Checks credentials (401), rate limit (429), role (403) and age of a person's sign-in (401), in this order. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** @throws DomainError 'unauthenticated', 'rate-limited', 'forbidden', 'unavailable' */
  async admit(context: RequestContext, gate: Gate, userId: string | undefined): Promise<void> {
    const { request } = context;
    const session = await this.#authenticate(context, gate);
    context.session = session;
    this.#options.connections.markAuthenticated(request.socket);
    const { userLimit, channelLimit } = this.#options;
    await this.#count(context, [userLimit, session.limitKey], [channelLimit, context.owner]);
    if (isCrossSite(request, this.#options.origins)) throw new CrossSite();
    requireAccess(gate.rule, session.principal, userId, notAllowed);
    requireRecentSignIn(gate.rule, session.principal, Date.now());
  }

  /** Admits a request to a public operation. @throws DomainError 'rate-limited' */
  admitPublic(context: RequestContext): Promise<void> {
    const network = toNetwork(context.clientAddress ?? 'unknown');
    return this.#count(context, [this.#options.addressLimit, network]);
  }

  charge(context: RequestContext): void {
    const requests = countFurtherRequests(context.cost);
    if (!context.session || requests === 0) return;
    this.#options.userLimit.charge(context.session.limitKey, requests);
    this.#options.channelLimit.charge(context.owner, requests);
  }

  /**
   * Counts the request against each limit, until one refuses it. The answer reports the limit closest to exhaustion.
   */
  async #count(context: RequestContext, ...limits: readonly (readonly [RequestLimit, string])[]): Promise<void> {
    for (const [by, key] of limits) {
      const verdict = by.take(key);
      const { rateLimit } = context;
      if (!verdict.allowed || !rateLimit || verdict.remaining < rateLimit.verdict.remaining)
        context.rateLimit = { by, verdict };
      if (verdict.allowed) continue;
      await this.#options.throttledResponses.delay(context.disconnected);
      throw new DomainError('rate-limited', 'You have reached your rate limit. Wait for the time in Retry-After.', {
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
    }
  }

  /**
   * Checks credentials and rights of a long request again, and renews its principal token.
   * @param isCertain asks identity, without the cache
   * @throws DomainError 'unauthenticated', 'forbidden', 'unavailable'
   */
  async renew(context: RequestContext, gate: Gate, { isCertain = false } = {}): Promise<void> {
    const { session: known } = context;
    if (!known || (!isCertain && this.#options.authenticator.isFresh(known))) return;
    const session = await this.#authenticate(context, gate, isCertain);
    requireAccess(gate.rule, session.principal, undefined, notAllowed);
    context.session = session;
  }

  async #authenticate(context: RequestContext, scope: CredentialScope, isCertain = false): Promise<Session> {
    const { authenticator, failedLogins } = this.#options;
    const header = context.request.headers.authorization;
    if (header === undefined || header === '') throw unauthenticated('The request has no credentials.');
    const known = isCertain ? undefined : authenticator.findSession(header, scope);
    if (known) return known;
    const attempt = toAttempt(context, header, scope.surface);
    const { requestId } = context;
    // Async, because the authenticator throws some errors synchronously.
    return failedLogins.verify(attempt, async () => authenticator.authenticate(header, scope, { requestId }));
  }
}

function toAttempt({ clientAddress }: RequestContext, header: string, surface: ApiSurface) {
  const fingerprint = hash('sha256', `${surface} ${header}`, 'base64');
  // A client without an address has disconnected. Tokens count by fingerprint: their claims are not verified yet.
  return { address: clientAddress ?? 'unknown', id: readClaimedKeyId(header) ?? fingerprint, fingerprint };
}

/** Depends on the operation only, so that it does not reveal whether an id exists. */
const notAllowed = (rule: AccessRule): DomainError =>
  new DomainError(
    'forbidden',
    rule.principal === 'user' && rule.holder
      ? 'You do not belong to an account holder that is allowed to do this.'
      : 'You lack the required role on a sales channel.',
  );

export function createChallenge(error: DomainError, gate: Gate | undefined): Record<string, string> {
  if (error.code !== 'unauthenticated' || !gate) return {};
  return { 'WWW-Authenticate': error instanceof SignInTooOld ? error.challenge : challenges[gate.surface] };
}
