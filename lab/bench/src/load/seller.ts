import { randomUUID } from 'node:crypto';
import type { Pool } from 'undici';
import { basicAuthorization, type Market } from './markets.ts';

export const EVENTS_PER_PAGE = 1_000;

interface LoggedEvent {
  readonly id: string;
  readonly createdAt: string;
}

/** Path of the page after an event, which begins with that event again. */
export function toNextPage(last: LoggedEvent | undefined): string {
  const query = new URLSearchParams({ $orderBy: '{"createdAt":"asc"}', $limit: String(EVENTS_PER_PAGE) });
  if (last) query.set('$filter', JSON.stringify({ createdAt: { gte: last.createdAt } }));
  return `${API.v1}/events?${query.toString()}`;
}

/**
 * Follows a channel's event log as the API describes: asks from the last createdAt (gte) and skips the event that
 * repeats.
 */
export class Follower {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;
  readonly #watch: (createdAt: string) => void;
  #last: LoggedEvent | undefined;
  #seen = 0;

  /** @param watch receives the time at which each event was appended, when it is read */
  constructor(pool: Pool, headers: Record<string, string>, watch: (createdAt: string) => void = () => undefined) {
    this.#pool = pool;
    this.#headers = headers;
    this.#watch = watch;
  }

  /** Number of events read. */
  get seen(): number {
    return this.#seen;
  }

  /** Reads to the end of the log. */
  async catchUp(): Promise<void> {
    while (await this.poll());
  }

  /** Reads one page. Returns whether there may be more. */
  async poll(): Promise<boolean> {
    const path = toNextPage(this.#last);
    const answer = await this.#pool.request({ method: 'GET', path, headers: this.#headers });
    const events = (await answer.body.json()) as LoggedEvent[];
    const isRepeated = this.#last !== undefined && events[0]?.id === this.#last.id;
    for (const { createdAt } of isRepeated ? events.slice(1) : events) this.#watch(createdAt);
    this.#seen += isRepeated ? events.length - 1 : events.length;
    this.#last = events.at(-1) ?? this.#last;
    return events.length === EVENTS_PER_PAGE;
  }
}

const TRADE_PRICE = 149.5;
const API = { v1: '/saleschannel-services/v1', previous: '/saleschannel-services' } as const;

interface Task {
  readonly taskId: string;
}

/** Answer to a trade. */
export interface TradeAnswer {
  readonly status: number;
  readonly text: string;
  readonly taskId: string | undefined;
  readonly retryAfter: string | undefined;
}

/** The user of one market: sells one certificate per trade, rotating through the issuances. */
export class Seller {
  readonly follower: Follower;
  readonly headers: Readonly<Record<string, string>>;
  /** The last answer that rejected a trade. */
  refusal: string | undefined;
  readonly #pool: Pool;
  readonly #market: Market;
  #turn = 0;

  constructor(pool: Pool, market: Market) {
    this.headers = { authorization: basicAuthorization(market.credentials) };
    this.#pool = pool;
    this.#market = market;
    this.follower = new Follower(pool, this.headers);
  }

  /**
   * @param bundles number of bundles of one certificate, from the next issuance
   * @returns id of the trade's task, undefined if it was rejected
   * @throws Error for any other answer
   */
  async sell(bundles = 1): Promise<string | undefined> {
    const { status, taskId, text } = await this.offer(bundles);
    if (status !== 201 && status !== 400) throw new Error(`A trade was answered ${status}: ${text}`);
    if (status === 400) this.refusal = text;
    return taskId;
  }

  /** Sends a trade and returns any answer. Certificates of a throttled trade are offered again. */
  async offer(bundles = 1, headers = this.headers): Promise<TradeAnswer> {
    const { sellerId, buyerId, issuances, selectionFormat } = this.#market;
    const issuance = issuances[this.#turn++ % issuances.length];
    if (!issuance) throw new Error('The market has nothing left to sell.');
    const assets = Array.from({ length: bundles }, () => {
      const serial = String(issuance.nextSerial++);
      const certificate = selectionFormat === 'v1' ? `${issuance.issuanceId}_${serial}` : serial;
      return { start: certificate, end: certificate, unitPrice: TRADE_PRICE };
    });
    const answer = await this.#pool.request({
      method: 'POST',
      path: `${API[selectionFormat]}/traders/${sellerId}/inventory/trade`,
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ buyerId, currency: 'EUR', assets }),
    });
    const text = await answer.body.text();
    const { statusCode: status } = answer;
    const retryAfter = answer.headers['retry-after']?.toString();
    if (status === 503 || status === 429) issuance.nextSerial -= BigInt(bundles);
    return { status, text, retryAfter, taskId: status === 201 ? (JSON.parse(text) as Task).taskId : undefined };
  }

  /** Path of a trade's task. */
  taskPath(taskId: string): string {
    return `${API.v1}/traders/${this.#market.sellerId}/inventory/trade/${taskId}`;
  }
}
