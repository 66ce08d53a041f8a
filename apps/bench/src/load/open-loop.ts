import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Stack } from '@saleschannel/local';
import { openWatch, type Watch } from '../measure/watch.ts';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

/** Milliseconds from when requests were due. */
export interface Latencies {
  /** Until the POST was answered. */
  readonly accepted: readonly number[];
  /** Until the task had ended with SUCCESS. */
  readonly ended: readonly number[];
  /** Until the event could be read. */
  readonly readable: readonly number[];
}

export interface OpenLoad {
  readonly perSecond: number;
  readonly seconds: number;
}

const CONNECTIONS = 256;
const LOOK_MS = 4;
const MS = 1_000;

/**
 * Sends at a fixed rate, whatever is answered: a request that is late because others are slow counts from when it was
 * due, so that no waiting is left out (no coordinated omission).
 */
export async function runOpenLoop(stack: Stack, market: Market, load: OpenLoad): Promise<Latencies> {
  const pool = new Pool(stack.baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const watch = await openWatch(stack, market.salesChannelId);
  try {
    return await measure(new Seller(pool, market), watch, load);
  } finally {
    await Promise.all([pool.close(), watch.close()]);
  }
}

async function measure(seller: Seller, watch: Watch, { perSecond, seconds }: OpenLoad): Promise<Latencies> {
  const [accepted, ended, readable]: [number[], number[], number[]] = [[], [], []];
  const taskIds: string[] = [];
  const total = perSecond * seconds;
  const start = performance.now() + MS / 10;
  const dueTime = (index: number): number => start + (index * MS) / perSecond;

  const sellOne = async (due: number): Promise<void> => {
    const taskId = await seller.sell();
    if (taskId === undefined) throw new Error(`a trade of the open loop was refused: ${seller.refusal}`);
    accepted.push(performance.now() - due);
    taskIds.push(taskId);
  };
  const look = async (): Promise<void> => {
    const [events, tasks] = await Promise.all([watch.countEvents(), watch.countEnded()]);
    const now = performance.now();
    // Both come in the order of the ledger's commits, about that of the requests: each is set against the next one due.
    while (readable.length < events) readable.push(now - dueTime(readable.length));
    while (ended.length < tasks) ended.push(now - dueTime(ended.length));
  };
  const looking = (async () => {
    for (; readable.length < total || ended.length < total; await delay(LOOK_MS)) await look();
  })();
  const sending: Promise<void>[] = [];
  for (let index = 0; index < total; await delay(1)) {
    while (index < total && dueTime(index) <= performance.now()) sending.push(sellOne(dueTime(index++)));
  }
  await Promise.all([...sending, looking]);
  await watch.checkSuccess(taskIds);
  return { accepted, ended, readable };
}
