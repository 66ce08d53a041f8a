import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, startRabbitMq, type RunningRabbitMq } from '@saleschannel/local-backends';
import { startBalancer } from '../load/balancer.ts';
import { createDriver } from '../load/closed-loop.ts';
import { createMarkets } from '../load/markets.ts';
import { UNLIMITED } from '../scenarios/settle.ts';
import type { Bench, Figure, Scenario } from '../scenario.ts';

const NODES = ['bench-a@localhost', 'bench-b@localhost', 'bench-c@localhost'] as const;
const USER = 'bench';
const VHOST = 'saleschannel';
const everything = { configure: '.*', write: '.*', read: '.*' };
const MARKETS = 4;
const ISSUANCES_PER_MARKET = 1_024;
/** Each is killed once, under load, and started again. The first one would take the port mapper along. */
const KILLED = [2, 1] as const;
const KILL_AFTER_PART = 0.3;

interface Round {
  readonly withAll: number;
  readonly withKill: number;
  /** Of the round with a kill, how much longer it took. */
  readonly lostSeconds: number;
}

export const threeBrokers: Scenario = {
  name: 'three-brokers',
  describe: 'trades over three nodes of RabbitMQ, one of them killed under load: all that is accepted is done',
  isTrial: true,
  async run(bench) {
    const cluster = await startCluster(bench);
    const balancer = await startBalancer(cluster.ports);
    try {
      const amqpUrl = new URL(cluster.url);
      amqpUrl.port = String(balancer.port);
      return await bench.withStack({ variables: UNLIMITED, amqpUrl: amqpUrl.href }, async (stack) => {
        const { options, say } = bench;
        const driver = createDriver(stack.baseUrl, await createMarkets(stack, MARKETS, ISSUANCES_PER_MARKET));
        await driver.run(options.warmup, options.unfinished);
        const rounds: Round[] = [];
        for (const victim of KILLED) {
          const calm = await driver.run(options.trades, options.unfinished);
          const kill = delay(KILL_AFTER_PART * calm.seconds * 1_000).then(() => cluster.kill(victim));
          const shaken = await driver.run(options.trades, options.unfinished);
          await kill;
          await cluster.start(victim);
          rounds.push({
            withAll: calm.trades / calm.seconds,
            withKill: shaken.trades / shaken.seconds,
            lostSeconds: shaken.seconds - calm.seconds,
          });
          say(
            `${NODES[victim]} killed: ${shaken.trades} accepted and done in ${shaken.seconds.toFixed(1)} s, ` +
              `${calm.seconds.toFixed(1)} s without`,
          );
        }
        await driver.close();
        return figuresOf(rounds);
      });
    } finally {
      await balancer.stop();
      await cluster.stop();
    }
  },
};

const figuresOf = (rounds: readonly Round[]): Figure[] => [
  { name: 'trades over three nodes', unit: '/s', rounds: rounds.map(({ withAll }) => withAll) },
  { name: 'trades while one was killed', unit: '/s', rounds: rounds.map(({ withKill }) => withKill) },
  { name: 'longer for the killed node', unit: 's', rounds: rounds.map(({ lostSeconds }) => lostSeconds) },
];

interface Cluster {
  readonly ports: readonly number[];
  /** Of the first node. */
  readonly url: string;
  kill(index: number): Promise<void>;
  start(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Three nodes on this machine, with a cookie and a port mapper of their own. */
async function startCluster({ folder, say }: Bench): Promise<Cluster> {
  const epmdPort = await freePort();
  const common = { cookie: randomBytes(24).toString('hex'), nodeNames: NODES, epmdPort };
  const users = [{ name: USER, password: randomBytes(24).toString('hex'), ...everything }];
  const start = (index: number, nodeName: string, port?: number): Promise<RunningRabbitMq> =>
    startRabbitMq({
      dataDirectory: join(folder, `rabbitmq-${index}`),
      users,
      vhost: VHOST,
      log: say,
      cluster: { ...common, nodeName, startsEpmd: index === 0 },
      ...(port === undefined ? {} : { port }),
    });
  const nodes: RunningRabbitMq[] = [];
  // One after the other: the first one makes the cluster, the others join it.
  for (const [index, name] of NODES.entries()) nodes.push(await start(index, name));
  say(`${nodes.length} nodes`);
  const nodeAt = (index: number): RunningRabbitMq => {
    const node = nodes[index];
    if (!node) throw new Error(`there is no node ${index}`);
    return node;
  };
  return {
    ports: nodes.map(({ port }) => port),
    url: nodeAt(0).url(USER),
    async kill(index) {
      const node = nodeAt(index);
      process.kill(node.pid, 'SIGKILL');
      await node.exited;
      await node.stop();
    },
    async start(index) {
      nodes[index] = await start(index, String(NODES[index]), nodeAt(index).port);
    },
    async stop() {
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}
