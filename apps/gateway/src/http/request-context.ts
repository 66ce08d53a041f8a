import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UserPrincipal } from '@saleschannel/auth';
import { forbidden } from '@saleschannel/errors';
import type { CallOptions } from '@saleschannel/grpc';
import type { Session } from '../authentication/authenticator.ts';
import type { RequestCost, Verdict, RequestLimit } from '../limits/rate-limit.ts';

/** Created once: a DOMException with its stack costs a tenth of a request. */
const OVER = new DOMException('The client disconnected, or has its answer.', 'AbortError');

/** State of one request, for its handler. Only the pipeline changes it. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Network address, from trusted proxies if any. Undefined once the client has disconnected. */
  readonly clientAddress: string | undefined;
  session: Session | undefined = undefined;
  /** Verdict of a rate limit, for the headers of the answer. */
  rateLimit: { readonly by: RequestLimit; readonly verdict: Verdict } | undefined = undefined;
  readonly cost: RequestCost = { bodyBytes: 0, threadMs: 0, readMs: 0 };
  isCsvPreferred = false;
  idempotencyKey: string | undefined = undefined;
  /** Whether the answer repeats that of an earlier request with the same key. */
  isReplayed = false;
  /** Error of {@link renew}: the credentials were rejected during the request. */
  renewalError: unknown = undefined;
  /** Time that the client asked to wait, in milliseconds. */
  waitedMs = 0;
  #giveUpPlace: () => void = () => undefined;
  #renew: (isCertain: boolean) => Promise<void> = () => Promise.resolve();
  #aborted: AbortController | undefined;
  #isBodyRequested = false;

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

  /** @param end gives up the place of the request in its queue. May be called repeatedly */
  onPlaceGivenUp(end: () => void): void {
    this.#giveUpPlace = end;
  }

  /** Waits at the client's request, without a place in a queue and without cost. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    this.#giveUpPlace();
    const started = performance.now();
    try {
      return await work;
    } finally {
      this.waitedMs += performance.now() - started;
    }
  }

  onRenewal(renew: (isCertain: boolean) => Promise<void>): void {
    this.#renew = renew;
  }

  /**
   * Checks the credentials of a long request again, if the last check is older than two seconds.
   * @param isCertain true: checks them in any case
   * @throws DomainError 'unauthenticated' or 'forbidden' if they are no longer valid, 'unavailable' if the check failed
   */
  async renew({ isCertain = false } = {}): Promise<void> {
    try {
      await this.#renew(isCertain);
    } catch (error) {
      this.renewalError = error;
      throw error;
    }
  }

  /** Returns false if the rights have ended, or if identity does not answer. */
  isStillAuthorized(): Promise<boolean> {
    return this.renew().then(
      () => true,
      () => false,
    );
  }

  /** Sends 100 to a client that expects it before it sends its body (RFC 9110 section 10.1.1). */
  sendContinue(): void {
    const { request, response } = this;
    if (!awaitsContinue(request) || response.headersSent) return;
    response.shouldKeepAlive = request.headers.connection?.toLowerCase() !== 'close';
    response.writeContinue();
    this.#isBodyRequested = true;
  }

  /** Whether the client may be sending a body. Clients that expect `100-continue` wait until asked. */
  get mayHaveBody(): boolean {
    return this.#isBodyRequested || !awaitsContinue(this.request);
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

  get callOptions(): CallOptions {
    const { principalToken, requestId, clientAddress, owner, idempotencyKey } = this;
    const call = { principalToken, requestId, clientAddress, owner };
    return idempotencyKey === undefined
      ? call
      : { ...call, idempotencyKey, onReplayed: () => (this.isReplayed = true) };
  }

  /** Options of calls of a public operation. All clients at one address share one queue. */
  get publicCallOptions(): CallOptions {
    const { requestId, clientAddress } = this;
    return { requestId, clientAddress, owner: `address ${clientAddress ?? 'unknown'}` };
  }

  /** Options of a streaming call, which ends when the client disconnects. */
  createStreamOptions(timeoutMs: number): CallOptions {
    return { ...this.callOptions, signal: this.disconnected, timeoutMs };
  }

  /** Aborts when the client disconnects or has its answer. */
  get disconnected(): AbortSignal {
    if (!this.#aborted) {
      const controller = new AbortController();
      this.#aborted = controller;
      if (this.response.closed) controller.abort(OVER);
      else this.response.once('close', () => controller.abort(OVER));
    }
    return this.#aborted.signal;
  }

  get isDisconnected(): boolean {
    return this.response.closed;
  }

  /** Calls the listener when the client disconnects. Returns a function that removes it. Cheaper than a signal. */
  onDisconnect(listener: () => void): () => void {
    this.response.once('close', listener);
    return () => void this.response.off('close', listener);
  }

  get salesChannelId(): string | undefined {
    return this.session?.principal.kind === 'user' ? this.session.principal.salesChannelId : undefined;
  }

  /** Owner of the request for fair sharing: the sales channel, else the user or registry. */
  get owner(): string {
    return this.salesChannelId ?? this.#signedIn.limitKey;
  }

  get #signedIn(): Session {
    if (!this.session) throw new Error('A public operation has no principal.');
    return this.session;
  }
}

const awaitsContinue = ({ headers: { expect }, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' && expect?.toLowerCase() === '100-continue';
