import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { httpClient, type Demo, type DemoChannel, type HttpClient } from '@saleschannel/local';

const API = '/saleschannel-services/v1';
const POLL_MS = 20;
const TASK_LIMIT_MS = 60_000;
const PRICE = 149.5;
const PAGE = 1_000;
const AGAIN_AFTER_MS = 100;

/** A trade that a client has sent. Times are of this machine's clock, in milliseconds. */
export interface SentTrade {
  /** Trades of one lane are sent one after the other. */
  readonly lane: Lane;
  readonly idempotencyKey: string;
  readonly certificate: string;
  readonly sentAt: number;
  /** Undefined: no answer came, and the client does not know. */
  acknowledged?: { readonly taskId: string; readonly at: number };
  /** The client has read that it is done. */
  isSeenDone?: boolean;
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

/** What a reader has read of one sales channel's log. */
interface ReadLog {
  readonly ids: ReadonlySet<string>;
  /** Where the procedure of the API goes on. */
  readonly cursor: string | undefined;
}

export interface Traffic {
  /** Everything that was sent so far. */
  readonly trades: readonly SentTrade[];
  /** Statuses of answers after which something was asked again, 0 for none. */
  readonly refusals: readonly number[];
  /** Resolves when so many were acknowledged. @throws Error when that cannot happen any more */
  acknowledged(count: number): Promise<void>;
  /** From now on failures are expected. Resolves when nothing is under way. */
  end(): Promise<void>;
}

export const clientOf = (baseUrl: string, { users: [{ apiKey }] }: DemoChannel): HttpClient =>
  httpClient(baseUrl, { username: apiKey.id, password: apiKey.secret });

/** Every bundle that a trader of the demonstration owns. */
export async function findLanes(demo: Demo): Promise<Lane[]> {
  const lanes: Lane[] = [];
  for (const channel of demo.channels) {
    const client = clientOf(demo.baseUrl, channel);
    for (const seller of channel.traders) {
      const buyer = channel.traders.find(({ id }) => id !== seller.id);
      const bundles = await client.ok<{ start: string }[]>('GET', `${API}/traders/${seller.id}/inventory`);
      if (!buyer) throw new Error('the sales channel has no second trader');
      for (const { start } of bundles)
        lanes.push({ channel, sellerId: seller.id, buyerId: buyer.id, firstCertificate: start });
    }
  }
  return lanes;
}

/**
 * Sells on all lanes at once, as fast as the answers come, until it is told to end or nobody answers.
 * @param sendsAgain a client that is turned away, or not answered, asks again with the same Idempotency-Key
 */
export function startTraffic(baseUrl: string, lanes: readonly Lane[], { sendsAgain = false } = {}): Traffic {
  const trades: SentTrade[] = [];
  const refusals: number[] = [];
  const patient = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const [, status = '0'] = /answered (\d+)/.exec((error as Error).message) ?? [];
        if (!sendsAgain || status.startsWith('4')) throw error;
        refusals.push(Number(status));
        await delay(AGAIN_AFTER_MS);
      }
    }
  };
  let isEnding = false;
  let failure: Error | undefined;
  const run = async (lane: Lane): Promise<void> => {
    const client = clientOf(baseUrl, lane.channel);
    for (let certificate = lane.firstCertificate; !isEnding; certificate = following(certificate)) {
      const trade: SentTrade = { lane, certificate, idempotencyKey: randomUUID(), sentAt: Date.now() };
      trades.push(trade);
      const { taskId } = await patient(() => send(client, trade));
      trade.acknowledged = { taskId, at: Date.now() };
      await patient(() => untilDone(client, trade, taskId));
      trade.isSeenDone = true;
    }
  };
  const lanesEnded = lanes.map((lane) =>
    run(lane).catch((error: unknown) => void (isEnding ? undefined : (failure = error as Error))),
  );
  return {
    trades,
    refusals,
    async acknowledged(count) {
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

/** The certificate after this one. The number behind it may have leading zeros. */
function following(certificate: string): string {
  const [, before = '', number] = /^(.*\D)?(\d+)$/.exec(certificate) ?? [];
  if (number === undefined) throw new Error(`${certificate} has no number`);
  return before + String(BigInt(number) + 1n).padStart(number.length, '0');
}

const pathOf = ({ sellerId }: Lane): string => `${API}/traders/${sellerId}/inventory/trade`;

/** Sends a trade, for the first time or again. */
export const send = (client: HttpClient, { lane, certificate, idempotencyKey }: SentTrade): Promise<Task> =>
  client.ok<Task>(
    'POST',
    pathOf(lane),
    { buyerId: lane.buyerId, currency: 'EUR', assets: [{ start: certificate, end: certificate, unitPrice: PRICE }] },
    { 'idempotency-key': idempotencyKey },
  );

/** The status of the answer to a client that asks for its task. */
export const statusOfTask = async (client: HttpClient, { lane }: SentTrade, taskId: string): Promise<number> =>
  (await client.send('GET', `${pathOf(lane)}/${taskId}`)).status;

/** @returns the id of the trade's transaction. @throws Error when the trade was refused */
export async function untilDone(client: HttpClient, { lane }: SentTrade, taskId: string): Promise<string> {
  for (const deadline = Date.now() + TASK_LIMIT_MS; ; await delay(POLL_MS)) {
    const task = await client.ok<Task>('GET', `${pathOf(lane)}/${taskId}`);
    const id = task.responsePayload?.id;
    if (task.status === 'SUCCESS' && id !== undefined) return id;
    if (task.status !== 'PENDING') throw new Error(`the task ${taskId} ended ${task.status}: ${task.message}`);
    if (Date.now() > deadline) throw new Error(`the task ${taskId} did not end`);
  }
}

/** Reads a log by the procedure of the API: everything from the last `createdAt` on. */
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
