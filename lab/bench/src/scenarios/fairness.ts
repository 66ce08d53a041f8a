import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { Client } from 'pg';
import { Pool } from 'undici';
import { createMarkets, type Market } from '../load/markets.ts';
import { runOpenLoop, type Latencies } from '../load/open-loop.ts';
import { Seller } from '../load/seller.ts';
import { buildServiceUrl } from '../measure/database.ts';
import { percentile } from '../measure/statistics.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { measureFloods } from './floods.ts';
import { UNLIMITED } from './settle.ts';

/**
 * Counts a channel's events in the database of the log. Requests to the API would use the channel's rate limit and
 * affect the measurement.
 */
interface EventCounter {
  /** Events of the channel since the watch began. */
  countEvents(): Promise<number>;
  close(): Promise<void>;
}

/** Reads one row, regardless of the number of trades. */
const progress = {
  name: 'progress',
  text: `select upper(applied) - 1 as last from ledger_progress where sales_channel_id = $1`,
};

async function openEventCounter(stack: Stack, salesChannelId: string): Promise<EventCounter> {
  const client = new Client({ connectionString: buildServiceUrl(stack, 'events') });
  await client.connect();
  const last = async (): Promise<number> => {
    const { rows } = await client.query<{ last: string }>({ ...progress, values: [salesChannelId] });
    return Number(rows[0]?.last ?? 0);
  };
  const before = await last();
  return { countEvents: async () => (await last()) - before, close: () => client.end() };
}

interface Flood {
  /** Resolves when its maximum of trades is waiting, or after some seconds if the ledger keeps up. */
  readonly isFull: Promise<void>;
  /** Stops it and waits until all accepted trades are done. Returns their number. */
  stop(): Promise<number>;
  /** Current seconds per trade: waiting trades divided by trades done per second. */
  waitSeconds(): number;
}

const CONNECTIONS = 128;
const PAUSE_MS = 2;
const FOLLOW_PAUSE_MS = 20;
const RISES_MS = 5_000;
const MS = 1_000;

/**
 * Sends trades of one sales channel as fast as possible, with at most `unfinished` waiting for the ledger. Throttled
 * trades are sent again at once.
 */
function startFlood(stack: Stack, market: Market, unfinished: number): Flood {
  const pool = new Pool(stack.baseUrl, { connections: CONNECTIONS, pipelining: 1 });
  const seller = new Seller(pool, market);
  const full = Promise.withResolvers<void>();
  let [accepted, done, startedAt] = [0, 0, 0];
  let isEnding = false;
  const waiting = (): number => accepted - done;
  const send = async (): Promise<void> => {
    while (!isEnding) {
      const isFull = waiting() >= unfinished;
      if (isFull || performance.now() - startedAt > RISES_MS) full.resolve();
      if (isFull) await delay(PAUSE_MS);
      else if (await isAccepted(seller)) accepted++;
    }
  };
  const running = (async () => {
    const watch = await openEventCounter(stack, market.salesChannelId);
    // Count in the log's database, because requests would use the user's rate limit.
    const follow = async (): Promise<void> => {
      while (!isEnding || waiting() > 0) {
        done = await watch.countEvents();
        await delay(FOLLOW_PAUSE_MS);
      }
    };
    startedAt = performance.now();
    await Promise.all([follow(), ...Array.from({ length: CONNECTIONS }, send)]);
    await watch.close();
  })();
  // Reports an error to the caller that waits for `isFull`.
  running.catch((error: unknown) => full.reject(error));
  return {
    isFull: full.promise,
    async stop() {
      isEnding = true;
      await running;
      await pool.close();
      return accepted;
    },
    waitSeconds: () => (done === 0 ? Infinity : (waiting() * (performance.now() - startedAt)) / MS / done),
  };
}

/** @throws Error if it was neither accepted nor throttled */
async function isAccepted(seller: Seller): Promise<boolean> {
  const { status, text } = await seller.offer();
  if (![201, 429, 503].includes(status)) throw new Error(`A trade of the flood was answered ${status}: ${text}`);
  return status === 201;
}

/**
 * More than the waiting trades, because each takes the first certificate of another issuance, which the previous trade
 * must have left.
 */
const ISSUANCES = 6_000;
/** Trades per second of the quiet channel. */
const QUIET_PER_SECOND = 20;
const WARM_UP_PER_SECOND = 200;
/** Waiting trades of the other channel, slightly fewer than TASKS_WAITING_PER_CHANNEL_MAX allows. */
const FLOOD = 4_500;

interface Round {
  readonly alone: Latencies;
  readonly beside: Latencies;
  /** Milliseconds per trade of the flooding channel. */
  readonly floodMs: number;
}

/** Raises the limit of requests per user, because one client acts for a whole market. */
const limits = {
  'as delivered': { LOG_LEVEL: 'warn' },
  'without rate limits': UNLIMITED,
} as const;
type Limits = keyof typeof limits;

export const fairness: Scenario = {
  name: 'fairness',
  describe: `a channel with ${QUIET_PER_SECOND} trades per second beside a flooding one ÷ the same channel alone`,
  async run(bench) {
    const figures: Figure[] = [];
    for (const name of Object.keys(limits) as Limits[]) figures.push(...(await measureBeside(bench, name)));
    return [...figures, ...(await measureFloods(bench))];
  },
};

const measureBeside = (bench: ScenarioContext, name: Limits): Promise<Figure[]> =>
  bench.withStack({ variables: limits[name] }, async (stack) => {
    const [quiet, other] = await createMarkets(stack, 2, ISSUANCES);
    if (!quiet || !other) throw new Error('The stack needs two markets.');
    const load = { perSecond: QUIET_PER_SECOND, seconds: bench.options.seconds };
    for (const market of [quiet, other]) await runOpenLoop(stack, market, { ...load, perSecond: WARM_UP_PER_SECOND });
    const rounds: Round[] = [];
    for (let number = 1; number <= bench.options.rounds; number++) {
      const alone = await runOpenLoop(stack, quiet, load);
      const flood = startFlood(stack, other, FLOOD);
      await flood.isFull;
      const beside = await runOpenLoop(stack, quiet, load);
      const floodMs = flood.waitSeconds() * 1_000;
      await flood.stop();
      rounds.push({ alone, beside, floodMs });
      bench.log(
        `${name}, round ${number}: task p50/p99 alone ${format(alone)}, beside a flood ${format(beside)} ms, ` +
          `of the flood ${floodMs.toFixed(0)} ms`,
      );
    }
    return toFigures(rounds).map((figure) => ({ ...figure, name: `${figure.name}, ${name}` }));
  });

const format = ({ known }: Latencies): string =>
  `${percentile(known, 0.5).toFixed(0)}/${percentile(known, 0.99).toFixed(0)}`;

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  const ratio = (part: number) => (round: Round) =>
    percentile(round.beside.known, part) / percentile(round.alone.known, part);
  return [
    figure('task SUCCESS p50 beside a flood ÷ alone', '', ratio(0.5), { atMost: 2 }),
    figure('task SUCCESS p99 beside a flood ÷ alone', '', ratio(0.99)),
    ...[0.5, 0.99].flatMap((part) => [
      figure(`task SUCCESS p${part * 100} alone`, 'ms', ({ alone }) => percentile(alone.known, part)),
      figure(`task SUCCESS p${part * 100} beside a flood`, 'ms', ({ beside }) => percentile(beside.known, part)),
    ]),
    figure(
      'a trade of the flooding channel ÷ one of the quiet channel beside it',
      '',
      ({ floodMs, beside }) => floodMs / percentile(beside.known, 0.5),
    ),
  ];
}
