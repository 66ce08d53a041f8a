import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stack } from '@saleschannel/local';
import { request } from 'undici';
import { openDriver, type Driver } from '../load/closed-loop.ts';
import { sumSystemCpu } from '../measure/processes.ts';
import { measureTrades, UNLIMITED, type SettleRound } from '../scenarios/settle.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

/** Prometheus's interval in `deploy/`. */
const SCRAPE_MS = 15_000;
const HOST = '127.0.0.1';
/** Port of a stack's first program; the others follow. Below all ports that are chosen during a start. */
const METRICS_PORTS = { metrics: 14_000, traced: 14_100 };
/** Maximum of the CPU of a trade, relative to no telemetry. */
const CPU_AT_MOST = 1.1;

/** One of the compared systems. */
interface Measured {
  readonly name: string;
  readonly stack: Stack;
  readonly driver: Driver;
  readonly rounds: SettleRound[];
}

export const telemetry: Scenario = {
  name: 'telemetry',
  describe: 'trades with metrics, and with metrics and all traces ÷ with neither',
  isTrial: true,
  async run(bench) {
    const sink = await startSink();
    const metrics = { ...UNLIMITED, METRICS_PORT: String(METRICS_PORTS.metrics) };
    const traced = {
      ...UNLIMITED,
      METRICS_PORT: String(METRICS_PORTS.traced),
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    };
    try {
      return await bench.withStack({ variables: UNLIMITED }, (off) =>
        bench.withStack({ variables: metrics }, (measured) =>
          bench.withStack({ variables: traced }, (all) =>
            measure(bench, { off, metrics: measured, 'metrics and traces': all }, sink),
          ),
        ),
      );
    } finally {
      await sink.close();
    }
  },
};

async function measure(bench: ScenarioContext, stacks: Readonly<Record<string, Stack>>, sink: Sink): Promise<Figure[]> {
  const { options, log } = bench;
  const systems: Measured[] = [];
  for (const [name, stack] of Object.entries(stacks)) {
    const driver = await openDriver(stack);
    systems.push({ name, stack, driver, rounds: [] });
    await driver.run(options.warmup, options.unfinished);
  }
  try {
    for (let number = 0; number < options.rounds; number++) {
      // Alternates the order, because each system affects the next.
      for (let turn = 0; turn < systems.length; turn++) {
        const { name, stack, driver, rounds } = systems[(number + turn) % systems.length] as Measured;
        const round = await whileScraping(stack, () => measureTrades(stack, driver, options));
        rounds.push(round);
        const cpu = sumSystemCpu(round.cpu).toFixed(0);
        log(`round ${number + 1}, ${name}: ${round.tradesPerSecond.toFixed(0)}/s, CPU ${cpu} µs`);
      }
    }
  } finally {
    for (const { driver } of systems) await driver.close();
  }
  log(`the sink took ${sink.requests()} requests with ${(sink.bytes() / 1e6).toFixed(0)} MB of spans`);
  return toFigures(systems);
}

/** Scrapes all programs of the stack that have metrics: at once, then at Prometheus's interval. */
async function whileScraping<T>(stack: Stack, work: () => Promise<T>): Promise<T> {
  const ports = Object.values(stack.place.metricsPorts ?? {});
  const scrape = (): void => {
    for (const port of ports) {
      request(`http://${HOST}:${port}/metrics`).then(
        ({ body }) => body.dump(),
        // This stack may lack the program of this port.
        () => undefined,
      );
    }
  };
  scrape();
  const timer = setInterval(scrape, SCRAPE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

interface Sink {
  readonly url: string;
  requests(): number;
  bytes(): number;
  close(): Promise<void>;
}

/** Accepts spans like a collector, and discards them. */
async function startSink(): Promise<Sink> {
  let requests = 0;
  let bytes = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
    incoming.on('end', () => outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    bytes: () => bytes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toFigures(systems: readonly Measured[]): Figure[] {
  const [off, ...on] = systems;
  if (!off) return [];
  const cpuOf = ({ cpu }: SettleRound): number => sumSystemCpu(cpu);
  const ratios = ({ name, rounds }: Measured): Figure[] => {
    const ratio = (of: (round: SettleRound) => number) => (round: SettleRound, number: number) =>
      of(round) / of(off.rounds[number] as SettleRound);
    const figure = createFigures(rounds);
    return [
      figure(`${name}: CPU of a trade ÷ without`, '', ratio(cpuOf), { atMost: CPU_AT_MOST }),
      figure(
        `${name}: trades per second ÷ without`,
        '',
        ratio(({ tradesPerSecond }) => tradesPerSecond),
      ),
    ];
  };
  const absolute = ({ name, rounds }: Measured): Figure[] => {
    const figure = createFigures(rounds);
    return [
      figure(`${name}: CPU of a trade`, 'µs', cpuOf),
      ...Object.keys(rounds[0]?.cpu ?? {}).map((process) =>
        figure(`${name}: CPU of a trade, ${process}`, 'µs', ({ cpu }) => cpu[process] ?? 0),
      ),
    ];
  };
  return [...on.flatMap(ratios), ...systems.flatMap(absolute)];
}
