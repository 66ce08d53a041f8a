import { Pool } from 'undici';
import { basicAuthorization, type Credentials } from '../load/markets.ts';
import type { Outcomes } from './outcomes.ts';

export interface CallerRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly credentials?: Credentials | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
}

export interface CallerAnswer<T> {
  readonly status: number;
  readonly body: T;
}

const CONNECTIONS = 16;
const ANSWER_MS = 10_000;
const DETAIL_CHARACTERS = 300;

/** A client of the public API without retries: any answer but a success counts as a failure. */
export class Caller {
  readonly baseUrl: string;
  readonly pool: Pool;
  readonly #outcomes: Outcomes;

  constructor(baseUrl: string, outcomes: Outcomes) {
    this.baseUrl = baseUrl;
    this.pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
    this.#outcomes = outcomes;
  }

  /** Undefined if it failed, which was counted. */
  async send<T>(kind: string, asked: CallerRequest): Promise<CallerAnswer<T> | undefined> {
    const startedAt = performance.now();
    try {
      const { statusCode: status, headers, body } = await this.pool.request(toHttpRequest(asked));
      const text = await body.text();
      if (status >= 300) {
        const retryAfter = headers['retry-after'] === undefined ? '' : ' with Retry-After';
        this.#outcomes.recordFailure(
          kind,
          `${status}${retryAfter}`,
          `${asked.path} ${text.slice(0, DETAIL_CHARACTERS)}`,
        );
        return undefined;
      }
      const isJson = String(headers['content-type']).includes('json');
      const answer = { status, body: (isJson ? JSON.parse(text) : text) as T };
      this.#outcomes.recordAnswer(kind, performance.now() - startedAt);
      return answer;
    } catch (error) {
      const { code, name, message } = error as Error & { code?: string };
      this.#outcomes.recordFailure(kind, code ?? name, `${asked.path} ${message}`);
      return undefined;
    }
  }

  /** Aborts pending requests. */
  close(): Promise<void> {
    return this.pool.destroy();
  }
}

export function toHttpRequest({ method = 'GET', path, credentials, headers, body }: CallerRequest) {
  const authorization = credentials && basicAuthorization(credentials);
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
  return {
    method,
    path,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  };
}
