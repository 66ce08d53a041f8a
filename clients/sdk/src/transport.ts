import type { Authorizer } from './credentials.ts';
import { ConnectionError, TimeoutError, wantedSignInOf } from './errors.ts';
import { readJson } from './json.ts';
import { backoffMs, inTime, pause, retryAfterMs, timerMs } from './timing.ts';

export interface TransportOptions {
  readonly baseUrl: URL;
  readonly authorizer: Authorizer;
  readonly fetch: typeof globalThis.fetch;
  /** How often a request is sent again, at most. */
  readonly retries: number;
  /** For a whole call. */
  readonly timeoutMs: number;
  /** For one attempt of it. */
  readonly attemptTimeoutMs: number;
  readonly userAgent: string;
  readonly random: () => number;
}

export interface Message {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether it makes or changes something. */
  readonly isChange: boolean;
  /** Whether a success that is no JSON is none of the service's. */
  readonly expectsJson: boolean;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What the text says. Undefined when it is no JSON. */
  readonly json: unknown;
  readonly requestId: string;
  /** Whether the request may have been carried out although this is no success. */
  readonly isOutcomeUnknown: boolean;
}

/** What became of one attempt. */
type Attempt =
  | { readonly answer: Omit<RawAnswer, 'isOutcomeUnknown'> }
  | { readonly lost: unknown; readonly timedOut: boolean; readonly arrived: boolean; readonly requestId: string };

const PASSING: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);
const BAD_REQUEST = 400;
const RATE_LIMITED = 429;
const UNAUTHENTICATED = 401;
const NO_CONTENT = 204;

/** Codes of Node's and Deno's failures before anything was sent. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** Connections that stood for a while end like this too, with a request on its way. */
const UNREACHABLE: ReadonlySet<unknown> = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown; syscall?: unknown; errors?: unknown } };
  // Where a name has several addresses, `errors` has what became of connecting to each.
  const isConnecting = cause?.syscall === 'connect' || Array.isArray(cause?.errors);
  return NOT_SENT.has(cause?.code) || (UNREACHABLE.has(cause?.code) && isConnecting);
}

const newId = (): string => crypto.randomUUID().replaceAll('-', '');

const now = (): number => performance.now();

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isJson = (headers: Headers): boolean => /[/+]json\b/.test(headers.get('content-type') ?? 'none');

/** @throws SyntaxError for a success: it was cut off where nobody else could see it */
function jsonOf(status: number, headers: Headers, text: string): unknown {
  if (text === '' || !isJson(headers)) return undefined;
  try {
    return readJson(text);
  } catch (error) {
    if (isSuccess(status)) throw error;
    // Its status says enough.
    return undefined;
  }
}

/**
 * Sends requests until there is an answer that will not change by itself, within a time and a number of retries. No
 * request does harm when it arrives twice: a POST has a key, or makes nothing, and the others are idempotent.
 */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** @throws ConnectionError, TimeoutError, or the reason of the signal */
  async send(message: Message): Promise<RawAnswer> {
    const { retries, random, authorizer, timeoutMs } = this.#options;
    const until = now() + (message.timeoutMs ?? timeoutMs);
    const callId = newId();
    let isUnknown = false;
    const authorize = (number: number, refused?: string): Promise<string> =>
      inTime(authorizer.header(refused), until - now(), message.signal, () => {
        const origin = { requestId: `${callId}-${number}`, idempotencyKey: message.idempotencyKey };
        return new TimeoutError('No access token came in time', { ...origin, isOutcomeUnknown: isUnknown });
      });
    let authorization = await authorize(1);
    let hasRenewed = false;
    for (let number = 1, failures = 0; ; number += 1) {
      const attempt = await this.#attempt(message, authorization, `${callId}-${number}`, until);
      isUnknown = leavesUnknown(attempt, message, isUnknown);
      if (authorizer.canRenew && !hasRenewed && mayHaveBetterToken(attempt)) {
        hasRenewed = true;
        authorization = await authorize(number, authorization);
        continue;
      }
      if (!isPassing(attempt)) return outcomeOf(attempt, message, isUnknown);
      const waitMs = pauseOf(attempt) ?? backoffMs(failures, random);
      failures += 1;
      if (failures > retries || now() + waitMs >= until) return outcomeOf(attempt, message, isUnknown);
      await pause(waitMs, message.signal);
    }
  }

  async #attempt(message: Message, authorization: string, requestId: string, until: number): Promise<Attempt> {
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
        // Credentials go where they were meant to, and nowhere else.
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
      });
      const { status, headers } = response;
      const text = await response.text();
      const json = jsonOf(status, headers, text);
      if (json === undefined && message.expectsJson && isSuccess(status) && status !== NO_CONTENT) {
        // Networks that want a sign-in first, and proxies, answer with pages.
        throw new Error('it was something else that answered, and no JSON');
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

  /** Browsers and their workers name themselves, and ask for leave to send what they do not know. */
  #ownHeaders(): Record<string, string> {
    const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
    return isBrowser ? {} : { 'User-Agent': this.#options.userAgent };
  }

  /** The service may be behind a path of another server, which its own links do not know. */
  #addressOf(path: string): URL {
    const { baseUrl } = this.#options;
    const prefix = baseUrl.pathname.replace(/\/$/, '');
    return new URL(`${baseUrl.origin}${prefix}${path}`);
  }
}

/** Whether another token may be taken. A sign-in that is too old is as old with the next token. */
const mayHaveBetterToken = (attempt: Attempt): boolean =>
  'answer' in attempt &&
  attempt.answer.status === UNAUTHENTICATED &&
  wantedSignInOf(attempt.answer.headers) === undefined;

const isPassing = (attempt: Attempt): boolean =>
  'lost' in attempt || attempt.answer.status === RATE_LIMITED || PASSING.has(attempt.answer.status);

/** Whether nobody knows after an attempt if the request was carried out, in this attempt or in one before. */
function leavesUnknown(attempt: Attempt, { isChange, idempotencyKey }: Message, wasUnknown: boolean): boolean {
  if (!isChange) return false;
  if ('lost' in attempt) return wasUnknown || attempt.arrived;
  const { status } = attempt.answer;
  // Under a key, what was carried out is answered again and not refused. A DELETE that comes again finds nothing.
  const isRefusal = status === BAD_REQUEST && idempotencyKey !== undefined;
  return PASSING.has(status) || (wasUnknown && !isRefusal);
}

const pauseOf = (attempt: Attempt): number | undefined =>
  'lost' in attempt ? undefined : retryAfterMs(attempt.answer.headers.get('Retry-After'), Date.now());

/** The last attempt is what the call ends with. */
function outcomeOf(attempt: Attempt, { idempotencyKey }: Message, isOutcomeUnknown: boolean): RawAnswer {
  if ('answer' in attempt) return { ...attempt.answer, isOutcomeUnknown };
  const { lost: cause, timedOut, requestId } = attempt;
  const origin = { requestId, idempotencyKey, isOutcomeUnknown, cause };
  if (timedOut) throw new TimeoutError('No answer came in time', origin);
  throw new ConnectionError(`No answer came: ${reasonOf(cause)}`, origin);
}

/** fetch says "fetch failed", and why in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
