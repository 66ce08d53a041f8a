import { setTimeout as delay } from 'node:timers/promises';
import { httpClient, type Stack } from '@saleschannel/local';
import { createDriver, type Driver } from '../load/closed-loop.ts';
import { createFourMarkets, type Market } from '../load/markets.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../load/webhook-receiver.ts';
import { readCpu, measureCpu, type CpuTimes } from '../measure/processes.ts';
import { prepareSettleReference, type SettleReference } from '../reference/settle.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { measureTrades, UNLIMITED } from './settle.ts';

const ENDPOINTS = 10;
const REFERENCE_CLIENTS = 8;
const LOOK_MS = 50;
/** Processes that work on each message. */
const FOLLOWERS = ['webhooks', 'postgresql', 'events', 'receiver'];
const PATH = '/saleschannel-services/v1/webhook-endpoints';

/** Result of one round. */
interface Round {
  readonly referencePerSecond: number;
  readonly alonePerSecond: number;
  readonly followedPerSecond: number;
  readonly deliveries: number;
  /** Time from the last event that a client read until the last message arrived. */
  readonly behindSeconds: number;
  /** CPU microseconds of every process per message, beyond those of the trades alone. */
  readonly cpuPerDelivery: CpuTimes;
}

export const webhooks: Scenario = {
  name: 'webhooks',
  describe: `trades while ${ENDPOINTS} webhook endpoints follow ÷ trades alone, both ÷ the reference of settle`,
  run: (bench) =>
    bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const reference = await prepareSettleReference(stack, bench.folder);
      const markets = await createFourMarkets(stack);
      const driver = createDriver(stack.baseUrl, markets);
      const receiver = await startWebhookReceiver();
      try {
        return toFigures(await alternate(bench, stack, { reference, markets, driver, receiver }));
      } finally {
        await receiver.close();
        await driver.close();
      }
    }),
};

interface Parts {
  readonly reference: SettleReference;
  readonly markets: readonly Market[];
  readonly driver: Driver;
  readonly receiver: WebhookReceiver;
}

async function alternate({ options, log }: ScenarioContext, stack: Stack, parts: Parts): Promise<Round[]> {
  const { reference, driver } = parts;
  log(`warming up with ${options.warmup} trades`);
  await driver.run(options.warmup, options.unfinished);
  const rounds: Round[] = [];
  for (let number = 1; number <= options.rounds; number++) {
    const load = { clients: REFERENCE_CLIENTS, seconds: options.seconds, commit: 'each' } as const;
    const { stepsPerSecond } = await reference.measure(load);
    const measureAlone = () => measureTrades(stack, driver, options);
    // Alternates which goes first, because each round affects the next.
    const first = number % 2 === 1 ? await measureAlone() : undefined;
    const followed = await tradesFollowed(stack, parts, options, number);
    const alone = first ?? (await measureAlone());
    const { tradesPerSecond, deliveries, behindSeconds } = followed;
    rounds.push({
      referencePerSecond: stepsPerSecond,
      alonePerSecond: alone.tradesPerSecond,
      followedPerSecond: tradesPerSecond,
      deliveries,
      behindSeconds,
      cpuPerDelivery: mapValues(
        followed.cpu,
        (used, name) => (used - (alone.cpu[name] ?? 0) * followed.trades) / deliveries,
      ),
    });
    log(
      `round ${number}: ${alone.tradesPerSecond.toFixed(0)}/s alone, ${tradesPerSecond.toFixed(0)}/s followed, ` +
        `the last of ${deliveries} messages ${behindSeconds.toFixed(1)} s later`,
    );
  }
  return rounds;
}

const mapValues = (of: CpuTimes, change: (value: number, name: string) => number): CpuTimes =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]));

/** Result of trades that endpoints followed. */
interface Followed {
  readonly tradesPerSecond: number;
  readonly trades: number;
  readonly deliveries: number;
  readonly behindSeconds: number;
  /** CPU until the last message had arrived. */
  readonly cpu: CpuTimes;
}

/** Measures trades with endpoints that receive only the events of these trades. */
async function tradesFollowed(
  stack: Stack,
  { markets, driver, receiver }: Parts,
  options: { readonly trades: number; readonly unfinished: number },
  round: number,
): Promise<Followed> {
  const endpoints = Array.from({ length: ENDPOINTS }, (_, place) => ({
    market: markets[place % markets.length] as Market,
    place,
  }));
  const before = { received: await receiver.received(), cpu: readCpu(receiver.pid) };
  const remove = await Promise.all(
    endpoints.map(async ({ market, place }) => {
      const client = httpClient(stack.baseUrl, market.credentials);
      const url = `${receiver.url}/${round}/${place}`;
      const { id } = await client.ok<{ id: string }>('POST', PATH, { url, ordered: place % 2 === 0 });
      return () => client.ok('DELETE', `${PATH}/${id}`);
    }),
  );
  const { result, cpu } = await measureCpu(stack, async () => {
    const { tradesPerSecond, trades } = await measureTrades(stack, driver, options);
    const endedAt = performance.now();
    // Markets sell in rotation, and each endpoint gets the events of its market.
    const deliveries = endpoints.length * Math.floor(trades / markets.length);
    while ((await receiver.received()) - before.received < deliveries) await delay(LOOK_MS);
    return { tradesPerSecond, trades, deliveries, behindSeconds: (performance.now() - endedAt) / 1000 };
  });
  await Promise.all(remove.map((end) => end()));
  return { ...result, cpu: { ...cpu, receiver: readCpu(receiver.pid) - before.cpu } };
}

function toFigures(rounds: readonly Round[]): Figure[] {
  const figure = createFigures(rounds);
  return [
    figure(
      `trades with ${ENDPOINTS} endpoints ÷ trades alone`,
      '',
      ({ followedPerSecond, alonePerSecond }) => followedPerSecond / alonePerSecond,
      { atLeast: 0.95 },
    ),
    figure(
      'rate alone ÷ rate of the reference',
      '',
      ({ alonePerSecond, referencePerSecond }) => alonePerSecond / referencePerSecond,
    ),
    figure(
      `rate with ${ENDPOINTS} endpoints ÷ rate of the reference`,
      '',
      ({ followedPerSecond, referencePerSecond }) => followedPerSecond / referencePerSecond,
    ),
    figure('trades alone', '/s', ({ alonePerSecond }) => alonePerSecond),
    figure(`trades with ${ENDPOINTS} endpoints`, '/s', ({ followedPerSecond }) => followedPerSecond),
    figure('messages', '', ({ deliveries }) => deliveries),
    figure('last message after last event', 's', ({ behindSeconds }) => behindSeconds),
    ...FOLLOWERS.map((name) => figure(`CPU of a message, ${name}`, 'µs', (round) => round.cpuPerDelivery[name] ?? 0)),
  ];
}
