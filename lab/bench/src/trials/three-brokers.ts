import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, isPortFree, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { startBalancer } from '../load/balancer.ts';
import { openDriver } from '../load/closed-loop.ts';
import { UNLIMITED } from '../scenarios/settle.ts';
import { createFigures, type ScenarioContext, type Figure, type Scenario } from '../scenario.ts';

const NODES = ['bench-a@localhost', 'bench-b@localhost', 'bench-c@localhost'] as const;
const USER = 'bench';
const VHOST = 'saleschannel';
const everything = { configure: '.*', write: '.*', read: '.*' };
/** Faults of a node: killed and started again, or stopped with SIGSTOP and resumed. */
type Disturbance = 'killed' | 'paused';
/** Each victim once, under load. Killing the first node would also kill the port mapper. */
const DISTURBED: readonly (readonly [victim: number, Disturbance])[] = [
  [2, 'killed'],
  [1, 'killed'],
  [2, 'paused'],
  [0, 'paused'],
];
const AFTER_PART = 0.3;
const EPMD_LIMIT_MS = 30_000;
const POLL_MS = 50;
/** Long enough for the nodes to miss each other's queues, too short for a permanent partition. */
const PAUSED_MS = 20_000;

interface Round {
  readonly how: Disturbance;
  readonly withAll: number;
  readonly disturbed: number;
  /** Additional duration of the round without a node. */
  readonly lostSeconds: number;
}

export const threeBrokers: Scenario = {
  name: 'three-brokers',
  describe: 'trades over three nodes of RabbitMQ, one of them killed or paused: all accepted trades are completed',
  isTrial: true,
  async run(bench) {
    const cluster = await startCluster(bench);
    const balancer = await startBalancer(cluster.ports);
    try {
      const amqpUrl = new URL(cluster.url);
      amqpUrl.port = String(balancer.port);
      return await bench.withStack({ variables: UNLIMITED, amqpUrl: amqpUrl.href }, async (stack) => {
        const { options, log } = bench;
        const driver = await openDriver(stack);
        await driver.run(options.warmup, options.unfinished);
        const rounds: Round[] = [];
        for (const [victim, how] of DISTURBED) {
          const calm = await driver.run(options.trades, options.unfinished);
          const disturbance = delay(AFTER_PART * calm.seconds * 1_000).then(() => cluster.disturb(victim, how));
          const shaken = await driver.run(options.trades, options.unfinished);
          await disturbance;
          if (how === 'killed') await cluster.start(victim);
          rounds.push({
            how,
            withAll: calm.trades / calm.seconds,
            disturbed: shaken.trades / shaken.seconds,
            lostSeconds: shaken.seconds - calm.seconds,
          });
          log(
            `${NODES[victim]} ${how}: ${shaken.trades} accepted and completed in ${shaken.seconds.toFixed(1)} s, ` +
              `${calm.seconds.toFixed(1)} s without`,
          );
        }
        await driver.close();
        return toFigures(rounds);
      });
    } finally {
      await balancer.stop();
      await cluster.stop();
    }
  },
};

const toFigures = (rounds: readonly Round[]): Figure[] => [
  createFigures(rounds)('trades over three nodes', '/s', ({ withAll }) => withAll),
  ...(['killed', 'paused'] as const).flatMap((wanted) => {
    const figure = createFigures(rounds.filter(({ how }) => how === wanted));
    return [
      figure(`trades while one was ${wanted}`, '/s', ({ disturbed }) => disturbed),
      figure(`longer for the ${wanted} node`, 's', ({ lostSeconds }) => lostSeconds),
    ];
  }),
];

interface Cluster {
  readonly ports: readonly number[];
  /** URL of the first node. */
  readonly url: string;
  /** A killed node stays down until it is started. A paused one resumes by itself. */
  disturb(index: number, how: Disturbance): Promise<void>;
  start(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts three nodes on this machine, with their own cookie and port mapper. */
async function startCluster({ folder, log }: ScenarioContext): Promise<Cluster> {
  const epmdPort = await findFreePort();
  const common = { cookie: randomBytes(24).toString('hex'), nodeNames: NODES, epmdPort };
  const users = [{ name: USER, password: randomBytes(24).toString('hex'), ...everything }];
  const start = (index: number, nodeName: string, port?: number): Promise<RunningRabbitMq> =>
    startRabbitMq({
      dataDirectory: join(folder, `rabbitmq-${index}`),
      users,
      vhost: VHOST,
      log,
      cluster: { ...common, nodeName, startsEpmd: index === 0 },
      ...(port === undefined ? {} : { port }),
    });
  // Concurrently, because since RabbitMQ 4 a new node waits for the others. The first one starts the port mapper.
  const first = start(0, NODES[0]);
  // Avoid an unhandled rejection while waiting for the port: it is awaited below.
  first.catch(() => undefined);
  for (const end = Date.now() + EPMD_LIMIT_MS; (await isPortFree(epmdPort)) && Date.now() < end;) await delay(POLL_MS);
  const others = NODES.slice(1).map((name, index) => start(index + 1, name));
  const nodes = await Promise.all([first, ...others]);
  log(`${nodes.length} nodes`);
  const nodeAt = (index: number): RunningRabbitMq => {
    const node = nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  };
  return {
    ports: nodes.map(({ port }) => port),
    url: nodeAt(0).url(USER),
    async disturb(index, how) {
      const node = nodeAt(index);
      if (how === 'killed') return node.kill();
      process.kill(node.pid, 'SIGSTOP');
      await delay(PAUSED_MS);
      process.kill(node.pid, 'SIGCONT');
    },
    async start(index) {
      nodes[index] = await start(index, String(NODES[index]), nodeAt(index).port);
    },
    async stop() {
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}
