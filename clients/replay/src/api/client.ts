import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { toViolations } from '@saleschannel/primitives/validation';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { readErrorCode, readErrorMessage } from '../text.ts';

/** The stack did not respond within the retry time. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** Problem details of a refusal (RFC 9457). A proxy may have responded, so every member is optional. */
const problemSchema = z
  .object({
    type: z.string().optional().catch(undefined),
    title: z.string().optional().catch(undefined),
    detail: z.string().optional().catch(undefined),
    errors: z
      .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
      .catch([])
      .default([]),
  })
  .catch({ errors: [] });

/** The API refused a request, or its response violates the contract. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  /** Problem type. */
  readonly type: string | undefined;

  /** @param what method and path of the request */
  constructor(what: string, status: number, body: unknown) {
    const { type, title, detail, errors } = problemSchema.parse(body);
    const faults = errors.map((fault) => joinWords([fault.pointer ?? fault.parameter, fault.detail]));
    super(`${what} responded with ${status}: ${joinWords(new Set([detail ?? title, ...faults])) || 'no reason given'}`);
    this.type = type;
  }
}

const joinWords = (parts: Iterable<string | undefined>): string => [...parts].filter((part) => part).join(' ');

/** How long a request is retried while its service restarts. */
export const RETRY_FOR_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const PAUSE_AT_MOST_MS = 2_000;
const RESPONSE_TIMEOUT_MS = 30_000;
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Credentials of a program. */
export interface Key {
  readonly id: string;
  readonly secret: string;
}

/** A request body, created again for each attempt. */
interface Content {
  readonly type: string;
  readonly make: () => string | Readable;
}

export function json(value: unknown): Content {
  const text = JSON.stringify(value);
  return { type: 'application/json', make: () => text };
}

export const ndjson = (lines: () => AsyncIterable<Buffer>): Content => ({
  type: 'application/x-ndjson',
  make: () => Readable.from(lines()),
});

interface Call<S extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Status code of success. */
  readonly status: number;
  /** Schema of a successful response. */
  readonly schema: S;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, string>>;
}

interface ApiResponse<T> {
  readonly headers: ResponseHeaders;
  readonly body: T;
}

interface ApiOptions {
  readonly baseUrl: string;
  readonly key: Key;
  readonly retryForMs?: number;
  /** Called before each retry. */
  readonly onRetry?: (reason: string) => void;
}

/** Result of one attempt: a response, or the reason to retry. */
type Attempt =
  | { readonly status: number; readonly headers: ResponseHeaders; readonly text: string }
  | { readonly reason: string; readonly pauseAtLeastMs: number };

/**
 * Client of a public API. Retries requests for a while, so that a replay survives restarts of services. undici's
 * RetryAgent does not fit: it counts attempts instead of time and cannot recreate a streamed body.
 */
export class Api {
  readonly #options: ApiOptions;
  readonly #authorization: string;
  readonly #agent = new Agent({
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
    connectTimeout: RESPONSE_TIMEOUT_MS,
  });

  constructor(options: ApiOptions) {
    this.#options = options;
    const { id, secret } = options.key;
    this.#authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Response body of a GET request. @throws UnreachableError, RefusedError */
  async get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
    const { body } = await this.send({ method: 'GET', path, status: 200, schema });
    return body;
  }

  /**
   * Only for idempotent requests: reads, imports, and requests with an Idempotency-Key.
   * @throws UnreachableError, RefusedError
   */
  async send<S extends z.ZodType>(call: Call<S>): Promise<ApiResponse<z.output<S>>> {
    const { retryForMs = RETRY_FOR_MS, baseUrl, onRetry } = this.#options;
    const until = Date.now() + retryForMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_AT_MOST_MS)) {
      const attempt = await this.#attempt(call);
      if ('text' in attempt) return { headers: attempt.headers, body: parseBody(call, attempt.status, attempt.text) };
      const leftMs = until - Date.now();
      if (leftMs <= 0)
        throw new UnreachableError(`${call.method} ${new URL(call.path, baseUrl).href}: ${attempt.reason}`);
      onRetry?.(attempt.reason);
      // Jitter, so that requests do not retry all at the same moment.
      const waitMs = Math.max(pauseMs * (0.5 + Math.random()), attempt.pauseAtLeastMs);
      await delay(Math.min(waitMs, leftMs));
    }
  }

  async #attempt({ method, path, content, headers }: Call<z.ZodType>): Promise<Attempt> {
    try {
      const answer = await request(new URL(path, this.#options.baseUrl), {
        method,
        headers: {
          authorization: this.#authorization,
          accept: 'application/json',
          ...(content && { 'content-type': content.type }),
          ...headers,
        },
        body: content?.make() ?? null,
        dispatcher: this.#agent,
      });
      const { statusCode: status, headers: received } = answer;
      const text = await answer.body.text();
      if (!RETRIED_STATUSES.has(status)) return { status, headers: received, text };
      return { reason: `responded with ${status}`, pauseAtLeastMs: retryAfterMs(received) };
    } catch (error) {
      return { reason: describeError(error), pauseAtLeastMs: 0 };
    }
  }
}

/** Retry-After header (RFC 9110 section 10.2.3) in milliseconds. 0 if missing. */
export function retryAfterMs(headers: ResponseHeaders): number {
  const value = Number(headers['retry-after'] ?? 0);
  return Number.isFinite(value) && value > 0 ? value * 1_000 : 0;
}

/** @throws RefusedError */
function parseBody<S extends z.ZodType>(call: Call<S>, status: number, text: string): z.output<S> {
  const what = `${call.method} ${call.path}`;
  const body = tryParseJson(text);
  if (status !== call.status) throw new RefusedError(what, status, body);
  if (body === undefined) throw new RefusedError(what, status, { detail: 'the response is not JSON' });
  const parsed = call.schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [violation] = toViolations(parsed.error);
  const detail = `the response violates the contract: ${violation?.pointer} ${violation?.detail}`;
  throw new RefusedError(what, status, { detail });
}

/** Undefined unless the text is JSON: proxies may respond too. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Connection errors to several addresses have a code and no message. */
const describeError = (error: unknown): string =>
  readErrorMessage(error) || (readErrorCode(error) ?? 'the connection broke');
