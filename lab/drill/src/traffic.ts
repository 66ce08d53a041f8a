import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { httpClient, ResponseError, type Demo, type DemoChannel, type HttpClient } from '@saleschannel/local';

const API = '/saleschannel-services/v1';
const POLL_MS = 20;
const TASK_LIMIT_MS = 60_000;
const PRICE = 149.5;
const PAGE = 1_000;
const AGAIN_AFTER_MS = 100;

/** A trade that a client has sent. Times are milliseconds on this machine's clock. */
export interface SentTrade {
  /** Trades of one lane are sent sequentially. */
  readonly lane: Lane;
  readonly idempotencyKey: string;
  readonly certificate: string;
  readonly sentAt: number;
  /** Undefined if no answer arrived, so the client does not know the result. */
  acknowledged?: { readonly taskId: string; readonly at: number };
  /** Whether the client has read its success. */
  isKnownDone?: boolean;
}

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly message: string;
  readonly responsePayload?: { readonly id?: string };
}

interface LogEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly payload: { readonly transactionId: string };
}

/** A bundle that is sold certificate by certificate. */
interface Lane {
  readonly channel: DemoChannel;
  readonly sellerId: string;
  readonly buyerId: string;
  readonly firstCertificate: string;
}

/** The part of a sales channel's log that a reader has read. */
interface ReadLog {
  readonly ids: ReadonlySet<string>;
  /** Cursor to resume from. */
  readonly cursor: string | undefined;
}

export interface Traffic {
  /** All trades sent so far. */
  readonly trades: readonly SentTrade[];
  /** Statuses of the answers that caused a retry, 0 for no answer. */
  readonly refusals: readonly number[];
  /** Resolves when `count` trades were acknowledged. @throws Error if that is no longer possible */
  waitForAcknowledged(count: number): Promise<void>;
  /** Expects failures from now on. Resolves when no request is pending. */
  end(): Promise<void>;
}

export const createTradeClient = (baseUrl: string, { users: [{ apiKey }] }: DemoChannel): HttpClient =>
  httpClient(baseUrl, { username: apiKey.id, password: apiKey.secret });

/** Finds every bundle that a trader of the demonstration owns. */
export async function findLanes(demo: Demo): Promise<Lane[]> {
  const lanes: Lane[] = [];
  for (const channel of demo.channels) {
    const client = createTradeClient(demo.baseUrl, channel);
    for (const seller of channel.traders) {
      const buyer = channel.traders.find(({ id }) => id !== seller.id);
      const bundles = await client.ok<{ start: string }[]>('GET', `${API}/traders/${seller.id}/inventory`);
      if (!buyer) throw new Error('The sales channel has no second trader.');
      for (const { start } of bundles)
        lanes.push({ channel, sellerId: seller.id, buyerId: buyer.id, firstCertificate: start });
    }
  }
  return lanes;
}

/**
 * Sells on all lanes concurrently until it is stopped or the gateway no longer answers.
 * @param sendsAgain whether a client retries after a 5xx or a lost answer, with the same Idempotency-Key
 */
export function startTraffic(baseUrl: string, lanes: readonly Lane[], { sendsAgain = false } = {}): Traffic {
  const trades: SentTrade[] = [];
  const refusals: number[] = [];
  const retry = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const status = error instanceof ResponseError ? error.status : 0;
        if (!sendsAgain || (status >= 400 && status < 500)) throw error;
        refusals.push(status);
        await delay(AGAIN_AFTER_MS);
      }
    }
  };
  let isEnding = false;
  let failure: Error | undefined;
  const run = async (lane: Lane): Promise<void> => {
    const client = createTradeClient(baseUrl, lane.channel);
    for (let certificate = lane.firstCertificate; !isEnding; certificate = nextCertificate(certificate)) {
      const trade: SentTrade = { lane, certificate, idempotencyKey: randomUUID(), sentAt: Date.now() };
      trades.push(trade);
      const { taskId } = await retry(() => sendTrade(client, trade));
      trade.acknowledged = { taskId, at: Date.now() };
      await retry(() => untilDone(client, trade, taskId));
      trade.isKnownDone = true;
    }
  };
  const lanesEnded = lanes.map((lane) =>
    run(lane).catch((error: unknown) => void (isEnding ? undefined : (failure = error as Error))),
  );
  return {
    trades,
    refusals,
    async waitForAcknowledged(count) {
      while (trades.filter((trade) => trade.acknowledged).length < count) {
        if (failure) throw failure;
        await delay(POLL_MS);
      }
    },
    async end() {
      isEnding = true;
      await Promise.all(lanesEnded);
      if (sendsAgain && failure) throw failure;
    },
  };
}

/** Returns the next certificate. Its serial may have leading zeros. */
function nextCertificate(certificate: string): string {
  const [, before = '', number] = /^(.*\D)?(\d+)$/.exec(certificate) ?? [];
  if (number === undefined) throw new Error(`${certificate} has no number.`);
  return before + String(BigInt(number) + 1n).padStart(number.length, '0');
}

const tradePath = ({ sellerId }: Lane): string => `${API}/traders/${sellerId}/inventory/trade`;

/** Sends a trade, for the first time or again. */
export const sendTrade = (client: HttpClient, { lane, certificate, idempotencyKey }: SentTrade): Promise<Task> =>
  client.ok<Task>(
    'POST',
    tradePath(lane),
    { buyerId: lane.buyerId, currency: 'EUR', assets: [{ start: certificate, end: certificate, unitPrice: PRICE }] },
    { 'idempotency-key': idempotencyKey },
  );

/** Status of the answer to a client that reads its task. */
export const readTaskStatus = async (client: HttpClient, { lane }: SentTrade, taskId: string): Promise<number> =>
  (await client.send('GET', `${tradePath(lane)}/${taskId}`)).status;

/** @returns id of the trade's transaction. @throws Error if the trade was rejected */
export async function untilDone(client: HttpClient, { lane }: SentTrade, taskId: string): Promise<string> {
  for (const deadline = Date.now() + TASK_LIMIT_MS; ; await delay(POLL_MS)) {
    const task = await client.ok<Task>('GET', `${tradePath(lane)}/${taskId}`);
    const id = task.responsePayload?.id;
    if (task.status === 'SUCCESS' && id !== undefined) return id;
    if (task.status !== 'PENDING') throw new Error(`The task ${taskId} ended ${task.status}: ${task.message}`);
    if (Date.now() > deadline) throw new Error(`The task ${taskId} did not end.`);
  }
}

/** Reads a log as the API describes: everything since the last `createdAt`. */
export async function readLog(client: HttpClient, from?: string): Promise<ReadLog & { events: LogEvent[] }> {
  const events: LogEvent[] = [];
  const ids = new Set<string>();
  for (let cursor = from; ;) {
    const query = new URLSearchParams({ $orderBy: '{"createdAt":"asc"}', $limit: String(PAGE) });
    if (cursor !== undefined) query.set('$filter', JSON.stringify({ createdAt: { gte: cursor } }));
    const page = await client.ok<LogEvent[]>('GET', `${API}/events?${query}`);
    events.push(...page.filter(({ id }) => !ids.has(id)));
    for (const { id } of page) ids.add(id);
    cursor = page.at(-1)?.createdAt ?? cursor;
    if (page.length < PAGE) return { events, ids, cursor };
  }
}
