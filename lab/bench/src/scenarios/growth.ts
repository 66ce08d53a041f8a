import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '@saleschannel/local';
import { Pool } from 'undici';
import { createDriver, type CountEvents, type Driver } from '../load/closed-loop.ts';
import { createMarket, createMarkets, type Market } from '../load/markets.ts';
import { Seller } from '../load/seller.ts';
import { withConnection, execute, buildServiceUrl } from '../measure/database.ts';
import { median } from '../measure/statistics.ts';
import { prepareSettleReference, type SettleLoad, type SettleReference } from '../reference/settle.ts';
import type { ScenarioContext, Figure, Scenario } from '../scenario.ts';
import { measureTrades, UNLIMITED, type SettleRound } from './settle.ts';

const BUNDLES_PER_ISSUANCE = 1_000;
const SMALL_PART = 100;
/** Concurrent trades that grow a ledger. */
const GROWING_AT_ONCE = 4;
const FEW_CHANNELS = 4;
const ISSUANCES = 4_096;
const EACH_EIGHT = { clients: 8, commit: 'each' } as const;
const COUNT_PAUSE_MS = 200;

export const growth: Scenario = {
  name: 'growth',
  describe: 'trades in a large ledger ÷ in a small one, over many channels ÷ over few, all from one bundle ÷ reference',
  async run(bench) {
    return [...(await measureBundles(bench)), ...(await measureChannels(bench))];
  },
};

/** Trades next to the reference in the same state, so that a change in the machine's speed does not matter. */
interface Pair {
  readonly rateRatio: number;
  readonly postgresPerStep: number;
}

const toPair = (trades: SettleRound, stepsPerSecond: number, cpuPerStep: number): Pair => ({
  rateRatio: trades.tradesPerSecond / stepsPerSecond,
  postgresPerStep: (trades.cpu['postgresql'] ?? 0) / cpuPerStep,
});

/** Measures a ledger of few bundles, grows it through the gateway, and measures it again. */
const measureBundles = (bench: ScenarioContext): Promise<Figure[]> =>
  bench.withStack({ variables: UNLIMITED }, async (stack) => {
    const { bundles } = bench.options;
    const reference = await prepareSettleReference(stack, bench.folder);
    const market = await createMarket(stack, Math.ceil(bundles / BUNDLES_PER_ISSUANCE));
    const few = Math.ceil(bundles / SMALL_PART);
    await grow(bench, stack, market, few / market.issuances.length);
    const small = await measurePairs(bench, stack, reference, market);
    bench.log(`growing to ${bundles} bundles of ${market.issuances.length} issuances`);
    await grow(bench, stack, market, (bundles - few) / market.issuances.length);
    const large = await measurePairs(bench, stack, reference, market);
    // Rounds of the small and the large ledger are far apart, so they form no pairs.
    const ratio = (select: (pair: Pair) => number): number[] =>
      large.map((pair) => select(pair) / median(small.map(select)));
    const what = `${bundles} ÷ ${few} bundles`;
    return [
      { name: `rate, ${what}`, unit: '', rounds: ratio(({ rateRatio }) => rateRatio), target: { atLeast: 0.9 } },
      {
        name: `PostgreSQL CPU of a trade, ${what}`,
        unit: '',
        rounds: ratio(({ postgresPerStep }) => postgresPerStep),
        target: { atMost: 1.15 },
      },
    ];
  });

/** Sells this number of certificates of each issuance as single bundles, in few large trades. */
async function grow({ log }: ScenarioContext, stack: Stack, market: Market, bundlesEach: number): Promise<void> {
  const pool = new Pool(stack.baseUrl, { connections: GROWING_AT_ONCE, pipelining: 1 });
  const seller = new Seller(pool, market);
  const countEvents = createCounter(stack);
  const before = await countEvents();
  let left = market.issuances.length;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      if (!(await seller.sell(Math.round(bundlesEach)))) throw new Error('A trade that grows the ledger was rejected.');
    }
  };
  try {
    await Promise.all(Array.from({ length: GROWING_AT_ONCE }, work));
    while ((await countEvents()) - before < market.issuances.length) await delay(COUNT_PAUSE_MS);
    log(`${market.issuances.length} issuances have ${Math.round(bundlesEach)} more bundles each`);
  } finally {
    await pool.close();
  }
}

/**
 * Runs the maintenance that autovacuum would run within minutes. It is part of fast growth and not of a large ledger,
 * and only the size is measured.
 */
async function tidyUp(stack: Stack): Promise<void> {
  for (const service of Object.keys(stack.databaseUrls))
    await execute(buildServiceUrl(stack, service), 'vacuum (analyze)', 'checkpoint');
}

async function measurePairs(
  { options, log }: ScenarioContext,
  stack: Stack,
  reference: SettleReference,
  market: Market,
): Promise<Pair[]> {
  await tidyUp(stack);
  const driver = createDriver(stack.baseUrl, [market]);
  try {
    // A selection begins where a bundle begins, so an issuance has one trade in flight.
    const load = { trades: options.trades, unfinished: Math.min(options.unfinished, market.issuances.length / 2) };
    await driver.run(options.warmup, load.unfinished);
    await reference.measure({ ...EACH_EIGHT, seconds: 1 });
    const pairs: Pair[] = [];
    for (let number = 1; number <= options.rounds; number++) {
      const step = await reference.measure({ ...EACH_EIGHT, seconds: options.seconds });
      const pair = toPair(await measureTrades(stack, driver, load), step.stepsPerSecond, step.cpuPerStep);
      pairs.push(pair);
      log(
        `round ${number}: trades ÷ reference steps ${pair.rateRatio.toFixed(2)}, ` +
          `PostgreSQL CPU of a trade ÷ of a step ${pair.postgresPerStep.toFixed(2)}`,
      );
    }
    return pairs;
  } finally {
    await driver.close();
  }
}

/** Alternates between many channels and few, in one system. */
const measureChannels = (bench: ScenarioContext): Promise<Figure[]> =>
  bench.withStack({ variables: UNLIMITED }, async (stack) => {
    const { channels, rounds } = bench.options;
    const reference = await prepareSettleReference(stack, bench.folder);
    const [countEvents, markets] = [createCounter(stack), (count: number) => Math.ceil(ISSUANCES / count)];
    const few = createDriver(
      stack.baseUrl,
      await createMarkets(stack, FEW_CHANNELS, markets(FEW_CHANNELS)),
      countEvents,
    );
    bench.log(`creating ${channels} channels`);
    const many = createDriver(stack.baseUrl, await createMarkets(stack, channels, markets(channels)), countEvents);
    const one = createDriver(stack.baseUrl, await createMarkets(stack, 1, 1, 'previous'), countEvents);
    const [byChannels, byBundle]: [number[], number[]] = [[], []];
    for (const driver of [few, many, one]) await driver.run(bench.options.warmup, bench.options.unfinished);
    for (let number = 1; number <= rounds; number++) {
      const rate = async (driver: Driver): Promise<number> =>
        (await measureTrades(stack, driver, bench.options)).tradesPerSecond;
      byChannels.push((1 / (await rate(few))) * (await rate(many)));
      const load: SettleLoad = { clients: 1, seconds: bench.options.seconds, commit: 'one-issuance' };
      byBundle.push((1 / (await reference.measure(load)).stepsPerSecond) * (await rate(one)));
    }
    await Promise.all([few, many, one].map((driver) => driver.close()));
    return [
      { name: `rate, ${channels} ÷ ${FEW_CHANNELS} channels`, unit: '', rounds: byChannels, target: { atLeast: 0.9 } },
      { name: 'rate, all of one bundle ÷ reference at one client', unit: '', rounds: byBundle, target: { atLeast: 1 } },
    ];
  });

/** Counts the events of all channels by the ledger progress of the event log: one row per channel. */
const createCounter =
  (stack: Stack): CountEvents =>
  () =>
    withConnection(buildServiceUrl(stack, 'events'), async (client) => {
      const { rows } = await client.query<{ count: string }>(
        'select coalesce(sum(upper(applied) - 1), 0)::text as count from ledger_progress',
      );
      return Number(rows[0]?.count);
    });
