import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UserPrincipal } from '@saleschannel/auth';
import { forbidden } from '@saleschannel/errors';
import type { CallOptions } from '@saleschannel/grpc';
import type { Session } from '../authentication/authenticator.ts';
import type { Cost } from '../limits/cost.ts';
import type { Verdict } from '../limits/gcra.ts';
import type { RequestLimit } from '../limits/request-limit.ts';

/** Made once: a DOMException with its stack costs a tenth of a request. */
const OVER = new DOMException('The client went away, or has its answer.', 'AbortError');

/**
 * One request on its way: who sent it and what its answer must say. Handlers read it, and only the pipeline writes it.
 */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Network address, as trusted proxies tell. Undefined once the client has gone away. */
  readonly clientAddress: string | undefined;
  session: Session | undefined = undefined;
  /** What a rate limit says of the request. */
  limited: { readonly by: RequestLimit; readonly verdict: Verdict } | undefined = undefined;
  readonly cost: Cost = { bodyBytes: 0, threadMs: 0, readMs: 0 };
  /** Whether the answer is wanted as CSV, where there is one. */
  isCsvWanted = false;
  /** The key under which the client may repeat its request. */
  idempotencyKey: string | undefined = undefined;
  /** Whether the answer is that of an earlier request with the same key. */
  isReplay = false;
  /** Why the credentials were refused while the request lasted. */
  refusal: unknown = undefined;
  /** Milliseconds for which the client asked to wait. */
  restedMs = 0;
  #endTurn: () => void = () => undefined;
  #renew: (isCertain: boolean) => Promise<void> = () => Promise.resolve();
  #aborted: AbortController | undefined;
  #isBodyAskedFor = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, clientAddress }: { requestId: string; clientAddress: string | undefined },
  ) {
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.clientAddress = clientAddress;
  }

  /** @param end runs when the request needs its turn no longer, perhaps more than once */
  onTurnEnd(end: () => void): void {
    this.#endTurn = end;
  }

  /** Waits on behalf of the client, which takes nothing from others: without a turn, and at no cost. */
  async rest<T>(work: Promise<T>): Promise<T> {
    this.#endTurn();
    const started = performance.now();
    try {
      return await work;
    } finally {
      this.restedMs += performance.now() - started;
    }
  }

  onRenewal(renew: (isCertain: boolean) => Promise<void>): void {
    this.#renew = renew;
  }

  /**
   * For a request that lasts: checks its credentials when that was not done within the last two seconds, or in any
   * case.
   * @throws DomainError 'unauthenticated' or 'forbidden' when they are worth nothing any more, 'unavailable' when that
   * cannot be found out
   */
  async renew({ isCertain = false } = {}): Promise<void> {
    try {
      await this.#renew(isCertain);
    } catch (error) {
      this.refusal = error;
      throw error;
    }
  }

  /** Asks a client for its body that waits to be asked (RFC 9110 section 10.1.1). */
  askForBody(): void {
    const { request, response } = this;
    if (!awaitsContinue(request) || response.headersSent) return;
    response.shouldKeepAlive = request.headers.connection?.toLowerCase() !== 'close';
    response.writeContinue();
    this.#isBodyAskedFor = true;
  }

  /** Whether a body is on its way that was not read. One that was never asked for is not. */
  get hasBodyOnTheWay(): boolean {
    return this.#isBodyAskedFor || !awaitsContinue(this.request);
  }

  get principalToken(): string {
    return this.#signedIn.principalToken;
  }

  /** @throws DomainError 'forbidden' for a registry key */
  get user(): UserPrincipal {
    const { principal } = this.#signedIn;
    if (principal.kind !== 'user') throw forbidden();
    return principal;
  }

  /** What every call on behalf of this request carries. */
  get call(): CallOptions {
    const { principalToken, requestId, clientAddress, owner, idempotencyKey } = this;
    const call = { principalToken, requestId, clientAddress, owner };
    return idempotencyKey === undefined ? call : { ...call, idempotencyKey, onReplayed: () => (this.isReplay = true) };
  }

  /** What a call carries that nobody has signed in for. Those at one address share what there is. */
  get publicCall(): CallOptions {
    const { requestId, clientAddress } = this;
    return { requestId, clientAddress, owner: `address ${clientAddress ?? 'unknown'}` };
  }

  /** What a call carries whose answer is a stream: it ends when the client goes away. */
  streamOf(timeoutMs: number): CallOptions {
    return { ...this.call, signal: this.gone, timeoutMs };
  }

  /** Aborted when the client goes away, or has its answer. */
  get gone(): AbortSignal {
    if (!this.#aborted) {
      const controller = new AbortController();
      this.#aborted = controller;
      if (this.response.closed) controller.abort(OVER);
      else this.response.once('close', () => controller.abort(OVER));
    }
    return this.#aborted.signal;
  }

  /** Whether the client went away, or has its answer. */
  get isGone(): boolean {
    return this.response.closed;
  }

  /** Has something done when the client goes away, until the returned function is called. Costs less than a signal. */
  whenGone(leave: () => void): () => void {
    this.response.once('close', leave);
    return () => void this.response.off('close', leave);
  }

  /** Whoever shares what there is: a sales channel, or a user or registry without one. */
  get owner(): string {
    const { principal, limitKey } = this.#signedIn;
    return (principal.kind === 'user' ? principal.salesChannelId : undefined) ?? limitKey;
  }

  get #signedIn(): Session {
    if (!this.session) throw new Error('a public operation has no principal');
    return this.session;
  }
}

const awaitsContinue = ({ headers: { expect }, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' && expect?.toLowerCase() === '100-continue';
