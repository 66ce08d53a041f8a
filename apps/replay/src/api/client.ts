import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** How long one request is repeated while its service restarts. */
export const RETRY_FOR_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const PAUSE_AT_MOST_MS = 2_000;
const ANSWER_WITHIN_MS = 30_000;
const TO_BE_REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

export interface Answer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: T;
}

export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail?: string }[];
}

/** Nobody answered for so long that it makes no sense to go on. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/** The API refused a request, or answered what its contract does not have. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly problem: Problem;

  constructor(what: string, { status, body }: Answer<unknown>) {
    const problem = (typeof body === 'object' && body !== null ? body : {}) as Problem;
    const faults = (problem.errors ?? []).map(({ pointer, parameter, detail }) =>
      `${pointer ?? parameter ?? ''} ${detail ?? ''}`.trim(),
    );
    const reasons = new Set([problem.detail ?? problem.title ?? '', ...faults].filter((reason) => reason !== ''));
    super(`${what} answered ${status}: ${[...reasons].join(' ') || 'without a reason'}`);
    this.status = status;
    this.problem = problem;
  }
}

export interface Sending {
  readonly json?: unknown;
  /** Makes the body anew for each attempt. */
  readonly ndjson?: () => AsyncIterable<Buffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly retryForMs?: number;
  /** Called before each repetition. */
  readonly onRetry?: (reason: string) => void;
}

/** Seconds of a Retry-After header (RFC 9110 §10.2.3), in milliseconds; 0 without one. */
export function retryAfterMs(headers: Answer<unknown>['headers']): number {
  const value = Number(headers['retry-after'] ?? 0);
  return Number.isFinite(value) && value > 0 ? value * 1_000 : 0;
}

/** A client of one of the public APIs that rides out restarts: what may be repeated safely is repeated, for a while. */
export class Api {
  readonly #options: ApiOptions;
  readonly #authorization: string;
  readonly #agent = new Agent({
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
    connectTimeout: ANSWER_WITHIN_MS,
  });

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#authorization = `Basic ${Buffer.from(`${options.username}:${options.password}`).toString('base64')}`;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /**
   * The answer, when it is one of `expected`. Only for requests that are safe to repeat: reads, imports, and starts with an Idempotency-Key.
   * @throws Unreachable, Refused
   */
  async send<T>(
    method: 'GET' | 'POST',
    path: string,
    expected: readonly number[],
    sending: Sending = {},
  ): Promise<Answer<T>> {
    const until = Date.now() + (this.#options.retryForMs ?? RETRY_FOR_MS);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_AT_MOST_MS)) {
      const outcome = await this.#attempt<T>(method, path, sending);
      if (!('reason' in outcome)) {
        if (expected.includes(outcome.status) && outcome.body !== undefined) return outcome;
        throw new Refused(`${method} ${path}`, outcome);
      }
      const leftMs = until - Date.now();
      if (leftMs <= 0)
        throw new Unreachable(`${method} ${new URL(path, this.#options.baseUrl).href}: ${outcome.reason}`);
      this.#options.onRetry?.(outcome.reason);
      // Without the jitter all requests of a replay would come back at the same moment.
      const waitMs = Math.max(pauseMs * (0.5 + Math.random()), outcome.afterMs);
      await sleep(Math.min(waitMs, leftMs));
    }
  }

  async get<T>(path: string): Promise<T> {
    return (await this.send<T>('GET', path, [200])).body;
  }

  /** One attempt; a reason means that it may be repeated. */
  async #attempt<T>(
    method: 'GET' | 'POST',
    path: string,
    sending: Sending,
  ): Promise<Answer<T> | { reason: string; afterMs: number }> {
    const headers: Record<string, string> = {
      authorization: this.#authorization,
      accept: 'application/json',
      ...sending.headers,
    };
    if (sending.json !== undefined) headers['content-type'] = 'application/json';
    if (sending.ndjson) headers['content-type'] = 'application/x-ndjson';
    const body = sending.ndjson
      ? Readable.from(sending.ndjson())
      : sending.json === undefined
        ? null
        : JSON.stringify(sending.json);
    let status: number;
    let answered: Answer<T>['headers'];
    let text: string;
    try {
      const answer = await request(new URL(path, this.#options.baseUrl), {
        method,
        headers,
        body,
        dispatcher: this.#agent,
      });
      status = answer.statusCode;
      answered = answer.headers;
      text = await answer.body.text();
    } catch (error) {
      return { reason: reasonOf(error as Error), afterMs: 0 };
    }
    if (TO_BE_REPEATED.has(status)) return { reason: `answers ${status}`, afterMs: retryAfterMs(answered) };
    return { status, headers: answered, body: jsonOf<T>(text) };
  }
}

/** The error of a connection to several addresses has no message of its own. */
const reasonOf = (error: Error & { code?: string }): string => error.message || error.code || error.name;

function jsonOf<T>(text: string): T {
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T;
  } catch {
    // Whoever asked is told that the answer gives no reason.
    return undefined as T;
  }
}
