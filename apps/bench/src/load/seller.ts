import { randomUUID } from 'node:crypto';
import type { Pool } from 'undici';
import { Follower } from './follower.ts';
import type { Market } from './markets.ts';

const TRADE_PRICE = 149.5;

/** The user of one market: sells one certificate per trade, from the issuances in turn. */
export class Seller {
  readonly follower: Follower;
  readonly headers: Readonly<Record<string, string>>;
  readonly #pool: Pool;
  readonly #market: Market;
  #turn = 0;

  constructor(pool: Pool, market: Market) {
    const { username, password } = market.credentials;
    this.headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    this.#pool = pool;
    this.#market = market;
    this.follower = new Follower(pool, this.headers);
  }

  /** The id of the trade's task. Undefined when it was refused. @throws Error for any other answer */
  async sell(): Promise<string | undefined> {
    const { sellerId, buyerId, issuances } = this.#market;
    const issuance = issuances[this.#turn++ % issuances.length];
    if (!issuance) throw new Error('a market has nothing to sell');
    const certificate = `${issuance.issuanceId}_${issuance.nextSerial++}`;
    const assets = [{ start: certificate, end: certificate, unitPrice: TRADE_PRICE }];
    const answer = await this.#pool.request({
      method: 'POST',
      path: `/saleschannel-services/v1/traders/${sellerId}/inventory/trade`,
      headers: { ...this.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ buyerId, currency: 'EUR', assets }),
    });
    const text = await answer.body.text();
    if (answer.statusCode === 201) return (JSON.parse(text) as { taskId: string }).taskId;
    if (answer.statusCode !== 400) throw new Error(`a trade was answered ${answer.statusCode}: ${text}`);
    issuance.nextSerial--;
    return undefined;
  }

  /** Where the task of a trade is read. */
  taskPath(taskId: string): string {
    return `/saleschannel-services/v1/traders/${this.#market.sellerId}/inventory/trade/${taskId}`;
  }
}
