import type { Authorizer } from './credentials.ts';
import { ConnectionError, TimeoutError, parseSignInChallenge } from './errors.ts';
import { readJson } from './json.ts';
import { backoffMs, withDeadline, pause, retryAfterMs, timerMs } from './timing.ts';

export interface TransportOptions {
  readonly baseUrl: URL;
  readonly authorizer: Authorizer;
  readonly fetch: typeof globalThis.fetch;
  /** Maximum number of retries. */
  readonly retries: number;
  /** Timeout of a whole call. */
  readonly timeoutMs: number;
  /** Timeout of one attempt. */
  readonly attemptTimeoutMs: number;
  readonly userAgent: string;
  readonly random: () => number;
}

export interface TransportRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the request has side effects. */
  readonly isChange: boolean;
  /** Whether a successful response must be JSON to be from the service. */
  readonly expectsJson: boolean;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed text. Undefined unless it is JSON. */
  readonly json: unknown;
  readonly requestId: string;
  /** Whether the request may have been carried out although the response is unsuccessful. */
  readonly isOutcomeUnknown: boolean;
}

/** Result of one attempt. */
type Attempt =
  | { readonly answer: Omit<RawResponse, 'isOutcomeUnknown'> }
  | { readonly lost: unknown; readonly timedOut: boolean; readonly arrived: boolean; readonly requestId: string };

const TRANSIENT: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);
const BAD_REQUEST = 400;
const RATE_LIMITED = 429;
const UNAUTHENTICATED = 401;
const NO_CONTENT = 204;

/** Error codes of Node and Deno before anything is sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Also occur on established connections, with a request in progress. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown; syscall?: unknown; errors?: unknown } };
  // For names with several addresses, `errors` has the result of each connection attempt.
  const isConnecting = cause?.syscall === 'connect' || Array.isArray(cause?.errors);
  return NOT_SENT.has(cause?.code) || (UNREACHABLE.has(cause?.code) && isConnecting);
}

const newId = (): string => crypto.randomUUID().replaceAll('-', '');

const now = (): number => performance.now();

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isJson = (headers: Headers): boolean => /[/+]json\b/.test(headers.get('content-type') ?? 'none');

/** @throws SyntaxError for a truncated success */
function parseBody(status: number, headers: Headers, text: string): unknown {
  if (text === '' || !isJson(headers)) return undefined;
  try {
    return readJson(text);
  } catch (error) {
    if (isSuccess(status)) throw error;
    // The status is enough.
    return undefined;
  }
}

/**
 * Sends a request until the response is final, within a time and number of retries. Sending twice is safe: a POST has a
 * key or no side effects, and other methods are idempotent.
 */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** @throws ConnectionError, TimeoutError, or the signal's reason */
  async send(message: TransportRequest): Promise<RawResponse> {
    const { retries, random, authorizer, timeoutMs } = this.#options;
    const until = now() + (message.timeoutMs ?? timeoutMs);
    const callId = newId();
    let isOutcomeUnknown = false;
    const authorize = (number: number, refused?: string): Promise<string> =>
      withDeadline(authorizer.header(refused), until - now(), message.signal, () => {
        const origin = { requestId: `${callId}-${number}`, idempotencyKey: message.idempotencyKey };
        return new TimeoutError('The access token was not available in time', {
          ...origin,
          isOutcomeUnknown,
        });
      });
    let authorization = await authorize(1);
    let hasRenewed = false;
    for (let number = 1, failures = 0; ; number += 1) {
      const attempt = await this.#attempt(message, authorization, `${callId}-${number}`, until);
      isOutcomeUnknown = leavesUnknown(attempt, message, isOutcomeUnknown);
      if (authorizer.canRenew && !hasRenewed && shouldRenewToken(attempt)) {
        hasRenewed = true;
        authorization = await authorize(number, authorization);
        continue;
      }
      if (!isTransient(attempt)) return toResult(attempt, message, isOutcomeUnknown);
      const waitMs = requestedPauseMs(attempt) ?? backoffMs(failures, random);
      failures += 1;
      if (failures > retries || now() + waitMs >= until) return toResult(attempt, message, isOutcomeUnknown);
      await pause(waitMs, message.signal);
    }
  }

  async #attempt(message: TransportRequest, authorization: string, requestId: string, until: number): Promise<Attempt> {
    const { signal, method, body, path } = message;
    signal?.throwIfAborted();
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const timer = setTimeout(end, timerMs(Math.min(this.#options.attemptTimeoutMs, until - now())));
    signal?.addEventListener('abort', end, { once: true });
    try {
      const response = await this.#options.fetch(this.#addressOf(path), {
        method,
        headers: { ...message.headers, ...this.#ownHeaders(), Authorization: authorization, 'X-Request-Id': requestId },
        ...(body === undefined ? {} : { body }),
        signal: ending.signal,
        // Redirects must not receive credentials.
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
      });
      const { status, headers } = response;
      const text = await response.text();
      const json = parseBody(status, headers, text);
      if (json === undefined && message.expectsJson && isSuccess(status) && status !== NO_CONTENT) {
        // Captive portals and proxies respond with HTML pages.
        throw new Error('the response is not JSON, so it is not from the service');
      }
      return { answer: { status, headers, text, json, requestId: headers.get('X-Request-Id') ?? requestId } };
    } catch (error) {
      signal?.throwIfAborted();
      return { lost: error, timedOut: ending.signal.aborted, arrived: !wasNotSent(error), requestId };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Browsers and workers set their own user agent, and unknown headers would cause preflight requests. */
  #ownHeaders(): Record<string, string> {
    const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
    return isBrowser ? {} : { 'User-Agent': this.#options.userAgent };
  }

  /** The service may be behind a path prefix, which its links do not contain. */
  #addressOf(path: string): URL {
    const { baseUrl } = this.#options;
    const prefix = baseUrl.pathname.replace(/\/$/, '');
    return new URL(`${baseUrl.origin}${prefix}${path}`);
  }
}

/** Whether another token may help. A refreshed token does not make an old sign-in recent. */
const shouldRenewToken = (attempt: Attempt): boolean =>
  'answer' in attempt &&
  attempt.answer.status === UNAUTHENTICATED &&
  parseSignInChallenge(attempt.answer.headers) === undefined;

const isTransient = (attempt: Attempt): boolean =>
  'lost' in attempt || attempt.answer.status === RATE_LIMITED || TRANSIENT.has(attempt.answer.status);

/** Whether it is unknown if this or an earlier attempt was carried out. */
function leavesUnknown(attempt: Attempt, { isChange, idempotencyKey }: TransportRequest, wasUnknown: boolean): boolean {
  if (!isChange) return false;
  if ('lost' in attempt) return wasUnknown || attempt.arrived;
  const { status } = attempt.answer;
  // With a key, a completed request is replayed instead of refused. A repeated DELETE finds nothing.
  const isRefusal = status === BAD_REQUEST && idempotencyKey !== undefined;
  return TRANSIENT.has(status) || (wasUnknown && !isRefusal);
}

const requestedPauseMs = (attempt: Attempt): number | undefined =>
  'lost' in attempt ? undefined : retryAfterMs(attempt.answer.headers.get('Retry-After'), Date.now());

/** Returns or throws the result of the last attempt. */
function toResult(attempt: Attempt, { idempotencyKey }: TransportRequest, isOutcomeUnknown: boolean): RawResponse {
  if ('answer' in attempt) return { ...attempt.answer, isOutcomeUnknown };
  const { lost: cause, timedOut, requestId } = attempt;
  const origin = { requestId, idempotencyKey, isOutcomeUnknown, cause };
  if (timedOut) throw new TimeoutError('No response in time', origin);
  throw new ConnectionError(`No response: ${describeCause(cause)}`, origin);
}

/** fetch reports "fetch failed", with the reason in its cause. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
