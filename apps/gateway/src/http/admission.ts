import { hash } from 'node:crypto';
import { access, receiversOf, requireAccess, type AccessRule, type Receivers } from '@saleschannel/auth';
import { networkOf } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import type { Authenticator, Door, Session } from '../authentication/authenticator.ts';
import { claimedKeyIdOf, unauthenticated, type Surface } from '../authentication/credentials.ts';
import { requireRecentSignIn } from '../authentication/recent-sign-in.ts';
import type { ContractOperation } from '../contract/document.ts';
import type { OperationId } from '../contract/operations.ts';
import { furtherRequests } from '../limits/cost.ts';
import type { FailedLogins } from '../limits/failed-logins.ts';
import type { HeldRefusals } from '../limits/throttled-responses.ts';
import type { RequestLimit } from '../limits/request-limit.ts';
import { CrossSite, isCrossSite } from '../security/cross-site.ts';
import type { Connections } from './connections.ts';
import type { RequestContext } from './request-context.ts';

/** Who may call an operation, with which credentials, and which services carry it out. */
export interface Gate extends Door {
  readonly rule: AccessRule;
}

/** Undefined for a public operation. @throws Error for an operation that nobody thought of */
export function gateOf({ id, principal }: ContractOperation<OperationId>): Gate | undefined {
  if (principal === 'public') return undefined;
  const rules: Readonly<Record<string, AccessRule>> = access;
  const rule = rules[id];
  const receiversById: Readonly<Record<string, Receivers>> = receiversOf;
  const receivers = receiversById[id];
  if (!rule || !receivers) throw new Error(`${id} has no access rule or no receivers`);
  return { surface: principal === 'registry' ? 'REGISTRY' : 'SALES_CHANNEL', rule, receivers };
}

export interface AdmissionOptions {
  readonly authenticator: Authenticator;
  readonly userLimit: RequestLimit;
  /** Counts sales channels, over all their users. */
  readonly channelLimit: RequestLimit;
  /** Of network addresses, where nobody signs in. */
  readonly addressLimit: RequestLimit;
  /** Of requests above their limit. */
  readonly heldRefusals: HeldRefusals;
  readonly failedLogins: FailedLogins;
  readonly connections: Connections;
  /** Origins whose pages may call the API. */
  readonly origins: ReadonlySet<string>;
}

/**
 * Whether a request may do what it asks for: credentials (401), then the rate limit (429), then the role (403), then
 * the age of a person's sign-in (401).
 */
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
    this.#options.connections.recognise(request.socket);
    const { userLimit, channelLimit } = this.#options;
    await this.#count(context, [userLimit, session.limitKey], [channelLimit, context.owner]);
    if (isCrossSite(request, this.#options.origins)) throw new CrossSite();
    requireAccess(gate.rule, session.principal, userId, notAllowed);
    requireRecentSignIn(gate.rule, session.principal, Date.now());
  }

  /** For an operation that nobody signs in for. @throws DomainError 'rate-limited' */
  admitAnybody(context: RequestContext): Promise<void> {
    const network = networkOf(context.clientAddress ?? 'unknown');
    return this.#count(context, [this.#options.addressLimit, network]);
  }

  /** Charges a request that was admitted for what it came to. */
  charge(context: RequestContext): void {
    const requests = furtherRequests(context.cost);
    if (!context.session || requests === 0) return;
    this.#options.userLimit.charge(context.session.limitKey, requests);
    this.#options.channelLimit.charge(context.owner, requests);
  }

  /** Takes a request of each limit, until one refuses it. The answer tells of the one with the least left. */
  async #count(context: RequestContext, ...limits: readonly (readonly [RequestLimit, string])[]): Promise<void> {
    for (const [by, key] of limits) {
      const verdict = by.take(key);
      const { limited } = context;
      if (!verdict.allowed || !limited || verdict.remaining < limited.verdict.remaining)
        context.limited = { by, verdict };
      if (verdict.allowed) continue;
      await this.#options.heldRefusals.hold(context.gone);
      throw new DomainError('rate-limited', 'Your rate limit is used up: wait for the time in Retry-After.', {
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
    }
  }

  /**
   * For a request that lasts: its credentials are worth something now and its rights are still there. The principal
   * token must live for the rest of the way.
   * @param isCertain asks identity, whatever was remembered
   * @throws DomainError 'unauthenticated', 'forbidden', 'unavailable'
   */
  async renew(context: RequestContext, gate: Gate, { isCertain = false } = {}): Promise<void> {
    const { session: known } = context;
    if (!known || (!isCertain && this.#options.authenticator.isFresh(known))) return;
    const session = await this.#authenticate(context, gate, isCertain);
    requireAccess(gate.rule, session.principal, undefined, notAllowed);
    context.session = session;
  }

  async #authenticate(context: RequestContext, door: Door, isCertain = false): Promise<Session> {
    const { authenticator, failedLogins } = this.#options;
    const header = context.request.headers.authorization;
    if (header === undefined || header === '') throw unauthenticated('The request has no credentials.');
    const known = isCertain ? undefined : authenticator.known(header, door);
    if (known) return known;
    const attempt = attemptOf(context, header, door.surface);
    const { requestId } = context;
    // An async function: the authenticator throws what it can tell by itself.
    return failedLogins.verify(attempt, async () => authenticator.ask(header, door, { requestId }));
  }
}

function attemptOf({ clientAddress }: RequestContext, header: string, surface: Surface) {
  const fingerprint = hash('sha256', `${surface} ${header}`, 'base64');
  // Without an address the client has gone away. A token is its own id: nothing in it is true until it is verified.
  return { address: clientAddress ?? 'unknown', id: claimedKeyIdOf(header) ?? fingerprint, fingerprint };
}

/** The same for ids that exist and ids that do not: it follows from the operation alone. */
const notAllowed = (rule: AccessRule): DomainError =>
  new DomainError(
    'forbidden',
    rule.principal === 'user' && rule.holder
      ? 'You belong to no account holder that may do this.'
      : 'You lack the role on a sales channel that this needs.',
  );
