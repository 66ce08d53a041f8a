import { cpus } from 'node:os';
import type { Stack } from '@saleschannel/local';
import { basicAuthorization, createFourMarkets, type Market } from '../load/markets.ts';
import { startBalancer } from '../load/balancer.ts';
import { createDriver, openDriver, type Driver } from '../load/closed-loop.ts';
import { createReader } from '../load/reader.ts';
import { createReplicas, secondsUntilJoined, computeShares, type Replicas } from '../load/replicas.ts';
import { measureCpu, sumSystemCpu, type CpuTimes } from '../measure/processes.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';
import { UNLIMITED } from './settle.ts';

const REPLICAS_AT_MOST = 3;
/** Readers per gateway. Concurrent requests share look-ups, so fewer readers would make each read more expensive. */
const READERS = 32;
const JOIN_TARGET_SECONDS = 10;
const MS = 1_000;

/** Measurements with a number of replicas. */
interface Width {
  readonly perSecond: number;
  /** Microseconds of all replicas of the service per operation. */
  readonly cpu: number;
  /** Microseconds of PostgreSQL per operation. */
  readonly database: number;
  /** Microseconds of all processes except the load, per operation. */
  readonly all: number;
  readonly busiest: number;
  /** Undefined for the first replica. */
  readonly joinedAfter: number | undefined;
}

export const width: Scenario = {
  name: 'width',
  describe: 'reads over 2 and 3 gateways, and trades over 2 and 3 replicas of inventory ÷ over one',
  async run(bench) {
    const partitioned = { variables: { ...UNLIMITED, LEDGER_PARTITIONS: '8' } };
    const single = await bench.withStack({ variables: UNLIMITED }, async (stack) => {
      const driver = await openDriver(stack);
      await driver.run(bench.options.warmup, bench.options.unfinished);
      const alone = await measureTrades(bench, stack, driver, createReplicas(stack, 'inventory'), undefined);
      await driver.close();
      return alone;
    });
    return bench.withStack(partitioned, async (stack) => {
      const markets = await createFourMarkets(stack);
      const gateways = await widen(bench, 'gateway', await createReading(bench, stack, markets));
      const inventories = await widen(bench, 'inventory', await createTrading(bench, stack, markets));
      return [...gatewayFigures(gateways), ...inventoryFigures(single, inventories)];
    });
  },
};

/** Work for replicas of one service. */
interface Work {
  readonly replicas: Replicas;
  /** Starts another replica under load. Returns the seconds until it did its share. */
  join(): Promise<number>;
  measure(joinedAfter: number | undefined): Promise<Width>;
  close(): Promise<void>;
}

async function widen({ log }: ScenarioContext, name: string, work: Work): Promise<Width[]> {
  const widths: Width[] = [];
  try {
    for (let count = 1; count <= REPLICAS_AT_MOST; count++) {
      const joinedAfter = count === 1 ? undefined : await work.join();
      work.replicas.pin(cpus().length);
      const measured = await work.measure(joinedAfter);
      widths.push(measured);
      log(
        `${count} of ${name}: ${measured.perSecond.toFixed(0)}/s, ${measured.cpu.toFixed(0)} µs per operation, ` +
          `${measured.all.toFixed(0)} µs in all, the busiest ${(100 * measured.busiest).toFixed(0)} %` +
          (joinedAfter === undefined ? '' : `, joined after ${joinedAfter.toFixed(1)} s`),
      );
    }
  } finally {
    await work.close();
  }
  return widths;
}

/** Repeats work, so that a new replica joins under load. */
function repeatUntilEnd(work: () => Promise<unknown>): { end(): Promise<void> } {
  let isOver = false;
  const working = (async () => {
    while (!isOver) await work();
  })();
  return {
    end() {
      isOver = true;
      return working;
    },
  };
}

async function createReading({ options }: ScenarioContext, stack: Stack, [market]: readonly Market[]): Promise<Work> {
  if (!market) throw new Error('The stack has no market.');
  const replicas = createReplicas(stack, 'gateway');
  const balancer = await startBalancer(replicas.ports);
  const reader = createReader(`http://127.0.0.1:${balancer.port}`, READERS * REPLICAS_AT_MOST);
  const read = {
    path: `/saleschannel-services/v1/traders/${market.buyerId}`,
    headers: { authorization: basicAuthorization(market.credentials) },
  };
  const during = (seconds: number, gateways = replicas.ports.length) =>
    reader.during(read, seconds, READERS * gateways, 200);
  await during(1);
  return {
    replicas,
    async join() {
      // On existing connections: the new replica gets some of them as they end.
      const before = replicas.ports.length;
      const work = repeatUntilEnd(() => during(1, before));
      balancer.add(await replicas.add());
      const seconds = await secondsUntilJoined(replicas);
      await work.end();
      return seconds;
    },
    async measure(joinedAfter) {
      const before = replicas.cpu();
      const { result, cpu } = await measureCpu(stack, () => during(options.seconds));
      return toWidth(
        { before, after: replicas.cpu(), cpu, own: 'gateway' },
        result.reads,
        result.perSecond,
        joinedAfter,
      );
    },
    async close() {
      await reader.close();
      await balancer.stop();
      await replicas.stop();
    },
  };
}

async function createTrading(bench: ScenarioContext, stack: Stack, markets: readonly Market[]): Promise<Work> {
  const { options } = bench;
  const replicas = createReplicas(stack, 'inventory');
  const driver = createDriver(stack.baseUrl, markets);
  await driver.run(options.warmup, options.unfinished);
  return {
    replicas,
    async join() {
      const work = repeatUntilEnd(() => driver.run(options.unfinished, options.unfinished));
      await replicas.add();
      const seconds = await secondsUntilJoined(replicas);
      await work.end();
      return seconds;
    },
    measure: (joinedAfter) => measureTrades(bench, stack, driver, replicas, joinedAfter),
    async close() {
      await driver.close();
      await replicas.stop();
    },
  };
}

async function measureTrades(
  { options }: ScenarioContext,
  stack: Stack,
  driver: Driver,
  replicas: Replicas,
  joinedAfter: number | undefined,
): Promise<Width> {
  const before = replicas.cpu();
  const { result, cpu } = await measureCpu(stack, () => driver.run(options.trades, options.unfinished));
  const used = { before, after: replicas.cpu(), cpu, own: 'inventory' };
  return toWidth(used, result.trades, result.trades / result.seconds, joinedAfter);
}

interface Used {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** CPU times of the stack, which include only the first replica. */
  readonly cpu: CpuTimes;
  readonly own: string;
}

function toWidth(used: Used, operations: number, perSecond: number, joinedAfter: number | undefined): Width {
  const { before, after, cpu, own } = used;
  const ofReplicas = after.reduce((sum, each, index) => sum + each - (before[index] ?? 0), 0);
  return {
    perSecond,
    cpu: ofReplicas / operations,
    database: (cpu['postgresql'] ?? 0) / operations,
    all: (sumSystemCpu(cpu) - (cpu[own] ?? 0) + ofReplicas) / operations,
    busiest: Math.max(...computeShares(before, after)),
    joinedAfter,
  };
}

/** Model: operations per second on otherwise idle cores, limited by the busiest replica. */
const boundByReplicas = ({ cpu, busiest }: Width): number => (MS * MS) / (cpu * busiest);

function gatewayFigures(widths: readonly Width[]): Figure[] {
  return [...toFigures('gateway', 'read', widths), ...toModel('gateways', widths, boundByReplicas)];
}

/**
 * Model: trades per second of inventory and its databases, with a core for each replica and each database. One database
 * serves all partitions; several share them.
 */
const boundByLedger =
  (databases: (replicas: number) => number) =>
  (measured: Width, replicas: number): number =>
    Math.min(boundByReplicas(measured), (databases(replicas) * MS * MS) / measured.database);

function inventoryFigures(single: Width, widths: readonly Width[]): Figure[] {
  const [one] = widths;
  return [
    { name: 'CPU of a trade, inventory, one partition', unit: 'µs', rounds: [single.cpu] },
    { name: 'CPU of a trade, eight partitions ÷ one', unit: '', rounds: [(one?.all ?? 0) / single.all] },
    ...toFigures('inventory', 'trade', widths),
    ...toModel(
      'replicas of inventory, one database',
      widths,
      boundByLedger(() => 1),
    ),
    ...toModel(
      'replicas of inventory, a database each',
      widths,
      boundByLedger((replicas) => replicas),
    ),
  ];
}

const toFigures = (service: string, operation: string, widths: readonly Width[]): Figure[] =>
  widths.flatMap((measured, index) => {
    const replicas = `${index + 1} of ${service}`;
    const figure = createFigures([measured]);
    const { joinedAfter } = measured;
    return [
      figure(`${operation}s, ${replicas}`, '/s', ({ perSecond }) => perSecond),
      figure(`CPU of a ${operation}, ${replicas}: it`, 'µs', ({ cpu }) => cpu),
      figure(`CPU of a ${operation}, ${replicas}: PostgreSQL`, 'µs', ({ database }) => database),
      figure(`CPU of a ${operation}, ${replicas}: all`, 'µs', ({ all }) => all),
      figure(`share of the busiest, ${replicas}`, '%', ({ busiest }) => 100 * busiest),
      ...(joinedAfter === undefined
        ? []
        : [figure(`until number ${replicas} did its part`, 's', () => joinedAfter, { atMost: JOIN_TARGET_SECONDS })]),
    ];
  });

const toModel = (
  what: string,
  widths: readonly Width[],
  bound: (measured: Width, replicas: number) => number,
): Figure[] => {
  const [one, ...more] = widths;
  if (!one) return [];
  return more.map((measured, index) => ({
    name: `model: ${index + 2} ${what} ÷ 1`,
    unit: '',
    rounds: [bound(measured, index + 2) / bound(one, 1)],
  }));
};
