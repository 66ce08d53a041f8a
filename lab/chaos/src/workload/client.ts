import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DemoKey } from '@saleschannel/local';
import { Pool } from 'undici';
import { nowMs, type RequestEntry, type RunJournal } from './journal.ts';

export interface ClientRequest extends Pick<RequestEntry, 'kind' | 'actor' | 'path' | 'issued'> {
  readonly method?: RequestEntry['method'];
  readonly credentials?: DemoKey | undefined;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
  /** Media type of a text. */
  readonly contentType?: string;
  readonly accept?: string;
  /** Omitted: a new key for each POST. */
  readonly key?: string | undefined;
  readonly expected?: readonly number[];
  /** Sends the first attempt to two gateways at once. */
  readonly isDuplicated?: boolean;
}

export interface ClientAnswer<T> {
  /** Id of the request in the journal. */
  readonly request: number;
  readonly status: number;
  readonly body: T;
  /** If more than one, an earlier attempt may still take effect later. */
  readonly attempts: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface Attempted {
  /** Undefined if the outcome is unknown. */
  readonly answer?: Omit<ClientAnswer<unknown>, 'attempts'>;
  readonly retryAfterMs?: number;
}

export const ATTEMPT_MS = 8_000;
const CONNECTIONS = 64;
const BACKOFF_MS = 250;
const BACKOFF_AT_MOST_MS = 2_000;
const REASON_CHARACTERS = 200;
const OK = [200, 201, 202, 204];

export const basicAuthorization = ({ id, secret }: DemoKey): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Whether the same request is sent again, because it is in progress, throttled or failed. */
const isUnknown = (status: number): boolean => status >= 500 || status === 409 || status === 429;

/** Clients of the public APIs. Each repeats a request with its own key until the outcome is known. */
export class Client {
  readonly pools: readonly Pool[];
  readonly #journal: RunJournal;
  readonly #random: () => number;
  #deadline = Infinity;
  #turn = 0;

  constructor(gateways: readonly string[], journal: RunJournal, random: () => number) {
    this.pools = gateways.map((url) => new Pool(url, { connections: CONNECTIONS, pipelining: 1 }));
    this.#journal = journal;
    this.#random = random;
  }

  /** Gives up unknown outcomes after this time, on the journal's clock. */
  giveUpAt(deadline: number): void {
    this.#deadline = deadline;
  }

  get hasGivenUp(): boolean {
    return nowMs() >= this.#deadline;
  }

  /** Undefined if the outcome was not known in time, as the journal records. */
  async send<T>(asked: ClientRequest): Promise<ClientAnswer<T> | undefined> {
    const { kind, actor, method = 'GET', path, body, issued, expected = OK } = asked;
    const key = method === 'POST' ? (asked.key ?? randomUUID()) : undefined;
    const id = this.#journal.nextId();
    this.#journal.add({ type: 'request', id, kind, actor, method, path, key, body, expected, issued });
    let gateway = this.#turn++;
    let backoffMs = BACKOFF_MS;
    for (let count = 1; ; count++) {
      const both = count === 1 && asked.isDuplicated === true ? [gateway, gateway + 1] : [gateway];
      const attempts = await Promise.all(both.map((each) => this.#attempt(id, each, asked, key)));
      const known =
        attempts.find(({ answer }) => answer && answer.status < 300) ?? attempts.find((each) => each.answer);
      if (known?.answer) return { ...(known.answer as ClientAnswer<T>), attempts: count };
      if (this.hasGivenUp) return undefined;
      const waits = attempts.map(({ retryAfterMs = 0 }) => retryAfterMs);
      await delay(Math.max(...waits, backoffMs * (0.5 + this.#random() / 2)));
      backoffMs = Math.min(backoffMs * 2, BACKOFF_AT_MOST_MS);
      gateway += 1;
    }
  }

  pool(turn: number): Pool {
    const found = this.pools[turn % this.pools.length];
    if (!found) throw new Error('The installation has no gateway.');
    return found;
  }

  async #attempt(request: number, turn: number, asked: ClientRequest, key: string | undefined): Promise<Attempted> {
    const { method = 'GET', path, credentials, body, accept = 'application/json' } = asked;
    const gateway = String(turn % this.pools.length);
    const sentAt = nowMs();
    const isText = typeof body === 'string';
    try {
      const {
        statusCode: status,
        headers,
        ...answer
      } = await this.pool(turn).request({
        method,
        path,
        headers: {
          accept,
          ...(credentials && { authorization: basicAuthorization(credentials) }),
          ...(body !== undefined && { 'content-type': isText ? asked.contentType : 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: body === undefined ? null : isText ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(ATTEMPT_MS),
      });
      const text = await answer.body.text();
      const isJson = String(headers['content-type']).includes('json') && text !== '';
      const parsed: unknown = isJson ? JSON.parse(text) : text;
      const reason = status >= 400 ? text.slice(0, REASON_CHARACTERS) : undefined;
      const kept = status < 300 && method !== 'GET' ? parsed : undefined;
      this.#journal.add({ type: 'attempt', request, gateway, sentAt, status, reason, body: kept });
      if (!isUnknown(status)) return { answer: { request, status, headers, body: parsed } };
      const seconds = Number(headers['retry-after'] ?? 0);
      return { retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 };
    } catch (error) {
      const { code, name } = error as Error & { code?: string };
      const reason = typeof code === 'string' ? code : name;
      this.#journal.add({ type: 'attempt', request, gateway, sentAt, reason });
      return {};
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }
}
