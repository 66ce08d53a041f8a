import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Market } from './markets.ts';
import { Seller } from './seller.ts';

export interface Latencies {
  /** Until the POST was answered, in milliseconds from when it was due. */
  readonly accepted: readonly number[];
  /** Until the task was seen in its end, for a sample of the tasks. */
  readonly ended: readonly number[];
  /** Until the event was read, in the order of the events. */
  readonly readable: readonly number[];
}

export interface OpenLoad {
  readonly perSecond: number;
  readonly seconds: number;
}

const CONNECTIONS = 256;
const POLL_MS = 2;
const POLLED_PER_SECOND = 20;
const MS = 1_000;

/**
 * Sends at a fixed rate, whatever is answered: a request that is late because others are slow counts from when it was
 * due, so that no waiting is left out (no coordinated omission). The event's time is that of the page it was read in.
 */
export async function runOpenLoop(baseUrl: string, market: Market, load: OpenLoad): Promise<Latencies> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const seller = new Seller(pool, market);
  await seller.follower.catchUp();
  try {
    return await measure(pool, seller, load);
  } finally {
    await pool.close();
  }
}

async function measure(pool: Pool, seller: Seller, { perSecond, seconds }: OpenLoad): Promise<Latencies> {
  const [accepted, ended, readable]: [number[], number[], number[]] = [[], [], []];
  const total = perSecond * seconds;
  const sampleEach = Math.max(1, Math.round(perSecond / POLLED_PER_SECOND));
  let seen = 0;

  const sellOne = async (index: number, due: number): Promise<void> => {
    const taskId = await seller.sell();
    accepted.push(performance.now() - due);
    if (taskId === undefined) throw new Error('a trade of the open loop was refused');
    if (index % sampleEach === 0) ended.push(await untilEnded(pool, seller, taskId, due));
  };
  const follow = async (): Promise<void> => {
    while (seen < total) {
      const before = seller.follower.seen;
      await seller.follower.poll();
      const now = performance.now();
      // Events come in the order of their commits, about that of the requests: each is set against the next one due.
      for (let count = seller.follower.seen - before; count > 0; count--) readable.push(now - dueTime(seen++));
      await delay(POLL_MS);
    }
  };
  const start = performance.now() + MS / 10;
  const dueTime = (index: number): number => start + (index * MS) / perSecond;
  const following = follow();
  const sending: Promise<void>[] = [];
  for (let index = 0; index < total;) {
    while (index < total && dueTime(index) <= performance.now()) {
      sending.push(sellOne(index, dueTime(index)));
      index++;
    }
    await delay(1);
  }
  await Promise.all([...sending, following]);
  return { accepted, ended, readable };
}

async function untilEnded(pool: Pool, seller: Seller, taskId: string, due: number): Promise<number> {
  for (;;) {
    const answer = await pool.request({ method: 'GET', path: seller.taskPath(taskId), headers: seller.headers });
    const task = (await answer.body.json()) as { status: string };
    if (task.status === 'SUCCESS') return performance.now() - due;
    if (task.status !== 'PENDING') throw new Error(`a task ended ${task.status}`);
    await delay(POLL_MS);
  }
}
