import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { Pool } from 'undici';
import type { Stack } from '@saleschannel/local';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

/** Milliseconds from each trade's scheduled time, in the order in which they ended. */
export interface Latencies {
  /** Until the client read the task's SUCCESS. */
  readonly known: readonly number[];
  /** Until the event arrived on the channel's stream. Empty without a follower. */
  readonly followed: readonly number[];
}

interface OpenLoad {
  readonly perSecond: number;
  readonly seconds: number;
  /** Whether to follow the channel's events, which costs the system something per event. */
  readonly follows?: boolean;
}

const CONNECTIONS = 256;
const MS = 1_000;
/** Poll interval where the server does not wait (`Prefer: wait`, RFC 7240). */
const POLL_MS = 5;
const WAIT_SECONDS = 10;

interface Task {
  readonly taskId: string;
  readonly status: string;
  readonly message: string;
  readonly responsePayload: { readonly id?: string };
}

/**
 * Sends at a fixed rate regardless of answers. A delayed request counts from its scheduled time, so that all waiting is
 * included (no coordinated omission). All times are those that a client observes.
 */
export async function runOpenLoop(
  { baseUrl }: Pick<Stack, 'baseUrl'>,
  market: Market,
  load: OpenLoad,
): Promise<Latencies> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const seller = new Seller(pool, market);
  const stream = load.follows ? await openStream(pool, seller) : undefined;
  try {
    return await measure(pool, seller, load, stream);
  } finally {
    stream?.close();
    await pool.close();
  }
}

async function measure(pool: Pool, seller: Seller, load: OpenLoad, stream: Stream | undefined): Promise<Latencies> {
  const { perSecond, seconds } = load;
  const [known, followed]: [number[], number[]] = [[], []];
  const start = performance.now() + MS / 10;
  const sellOne = async (due: number): Promise<void> => {
    const task = await untilEnded(pool, seller);
    known.push(performance.now() - due);
    if (task.status !== 'SUCCESS') throw new Error(`Task ${task.taskId} is ${task.status}: ${task.message}`);
    if (stream) followed.push((await stream.arrival(String(task.responsePayload.id))) - due);
  };
  const sending: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; await delay(1)) {
    const dueTime = (): number => start + (index * MS) / perSecond;
    for (; index < perSecond * seconds && dueTime() <= performance.now(); index++) sending.push(sellOne(dueTime()));
  }
  await Promise.all(sending);
  return { known, followed };
}

/** Sells one certificate, and returns when the client knows that the task has ended. */
async function untilEnded(pool: Pool, seller: Seller): Promise<Task> {
  const headers = { ...seller.headers, prefer: `wait=${WAIT_SECONDS}` };
  const { status, text } = await seller.offer(1, headers);
  if (status !== 201) throw new Error(`A trade of the open loop was answered ${status}: ${text}`);
  for (let task = JSON.parse(text) as Task; ;) {
    if (task.status !== 'PENDING') return task;
    const path = seller.taskPath(task.taskId);
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    if (statusCode === 200) task = (await body.json()) as Task;
    else await body.dump();
    if (task.status === 'PENDING') await delay(POLL_MS);
  }
}

/** New events of a channel. */
interface Stream {
  /** Resolves with the time, on the `performance.now()` clock, at which the event of a transaction arrived. */
  arrival(transactionId: string): Promise<number>;
  close(): void;
}

async function openStream(pool: Pool, seller: Seller): Promise<Stream> {
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const getArrival = (transactionId: string): PromiseWithResolvers<number> => {
    const known = arrivals.get(transactionId) ?? Promise.withResolvers<number>();
    arrivals.set(transactionId, known);
    return known;
  };
  const parser = createParser({
    onEvent({ data }) {
      const { payload } = JSON.parse(data) as { payload?: { transactionId: string } };
      if (payload) getArrival(payload.transactionId).resolve(performance.now());
    },
  });
  const ending = new AbortController();
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: '/saleschannel-services/v1/events/stream',
    headers: { ...seller.headers, accept: 'text/event-stream' },
    signal: ending.signal,
  });
  if (statusCode !== 200) throw new Error(`The stream of events was answered ${statusCode}: ${await body.text()}`);
  const reading = (async () => {
    for await (const piece of body.setEncoding('utf8')) parser.feed(piece as string);
  })();
  reading.catch(() => undefined);
  return { arrival: (transactionId) => getArrival(transactionId).promise, close: () => ending.abort() };
}
