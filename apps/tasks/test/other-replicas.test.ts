import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Broker } from '@saleschannel/messaging';
import { silentLogger } from '@saleschannel/runtime';
import {
  asUser,
  eventually,
  smallestPools,
  startListener,
  testBrokerUrl,
  testNamespace,
  type TestListener,
} from '@saleschannel/testing';
import { OtherReplicas } from '../src/consumers/other-replicas.ts';
import { TaskEnds } from '../src/operations/task-ends.ts';
import { report, REPORTED } from './support/events.ts';
import type { Scene } from './support/requests.ts';
import { messageTypes, startTasks, type Tasks } from './support/tasks.ts';
import { startTrade } from './support/trades.ts';

const BEGUN = 'tasks.wait.begun.v1';
const ENDED = 'tasks.wait.ended.v1';
const HOUR_MS = 3_600_000;

const parts: { stop(): Promise<void> }[] = [];
const stopAll = async (): Promise<void> => {
  for (const part of parts.splice(0).reverse()) await part.stop();
};

describe('two replicas that do not poll', () => {
  let tasks: Tasks;
  let gateways: Tasks['gateway'][];
  let listener: TestListener<typeof BEGUN | typeof ENDED>;

  beforeAll(async () => {
    const pollIntervalsMs = { first: HOUR_MS, longest: HOUR_MS };
    tasks = await startTasks({ variables: smallestPools, parts: { pollIntervalsMs } });
    const replica = await tasks.startReplica();
    gateways = [tasks.gateway, replica.gateway];
    listener = await startListener(tasks.namespace, [BEGUN, ENDED]);
    parts.push(tasks, replica, listener);
  });
  afterAll(stopAll);

  const startTrades = (scene: Scene, count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => startTrade(tasks, scene)));
  const succeed = (id: string) => tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS')]);
  const broadcastEnds = (ids: readonly string[]): string[] =>
    listener.entries.flatMap(({ type, event }) => (type === ENDED && ids.includes(event.taskId) ? event.taskId : []));
  const broadcastWaits = ({ channel }: Scene): number =>
    listener.entries.filter(({ type, event }) => type === BEGUN && event.salesChannelId === channel).length;

  /** Returns the tasks that ended before the timeout. */
  async function waitAt(gateway: Tasks['gateway'], scene: Scene, ids: readonly string[]): Promise<string[]> {
    const { principalToken } = await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']);
    const about = { type: messageTypes.TRADE, traderId: scene.seller };
    const waits = ids.map((taskId) => ({ principalToken, task: { ...about, taskId } }));
    const ended: string[] = [];
    try {
      for await (const answer of gateway.WaitForTasks({ tasks: waits }, { timeoutMs: 5_000 }))
        ended.push(...answer.tasks.map(({ id }) => id));
    } catch {
      // Some tasks did not end.
    }
    return ended;
  }

  /** Waits for half of the tasks at each replica. Either replica may receive their outcomes. */
  async function waitAtBoth(): Promise<{ readonly ids: string[]; readonly ended: string[] }> {
    const scene = tasks.newScene();
    const ids = await startTrades(scene, 20);
    const halves = [ids.slice(0, 10), ids.slice(10)];
    const waiting = gateways.map((gateway, half) => waitAt(gateway, scene, halves[half] ?? []));
    await eventually(() => Promise.resolve(broadcastWaits(scene) === 2), 'both waits');
    for (const id of ids) await succeed(id);
    return { ids, ended: (await Promise.all(waiting)).flat() };
  }

  test('each learns the ends that the other writes', async () => {
    // Retries until both listen.
    const ids = await eventually(async () => {
      const { ids: all, ended } = await waitAtBoth();
      return ended.length === all.length && all;
    }, 'the end of every wait');
    // Ends of tasks awaited at the same replica are not broadcast.
    expect(broadcastEnds(ids).length).toBeGreaterThan(0);
    expect(broadcastEnds(ids).length).toBeLessThan(ids.length);
  });

  test('nothing is broadcast for a sales channel in which no client waits', async () => {
    const scene = tasks.newScene();
    const ids = await startTrades(scene, 20);
    for (const id of ids) await succeed(id);
    // Waits for a later broadcast, which would arrive after those of the earlier ends.
    await eventually(async () => {
      const later = await waitAtBoth();
      return broadcastEnds(later.ids).length > 0;
    }, 'a broadcast of an end');
    expect(broadcastWaits(scene)).toBe(0);
    expect(broadcastEnds(ids)).toEqual([]);
  });
});

describe.each([
  ['RabbitMQ', testBrokerUrl],
  ['the broker in the process', () => `in-process:${testNamespace()}`],
])('by %s', (_name, urlOf) => {
  afterEach(stopAll);

  class HeardEnds extends TaskEnds {
    readonly heard: string[] = [];
    override notifyEnded(taskId: string): void {
      this.heard.push(taskId);
    }
  }

  test('a replica broadcasts only ends in sales channels in which another one waits', async () => {
    const [url, namespace] = [urlOf(), testNamespace()];
    const [one, two] = [new HeardEnds(), new HeardEnds()];
    const [first, second] = [one, two].map((ends) => {
      const broker = new Broker({ url, namespace, service: 'tasks', logger: silentLogger });
      parts.push(broker);
      return { broker, replicas: new OtherReplicas({ broker, ends, logger: silentLogger }) };
    });
    if (!first || !second) throw new Error('no replicas');
    first.replicas.announceWaits(['too early']);
    await first.broker.start();
    await second.broker.start();
    let tries = 0;
    // Uses a new sales channel each time, since a channel is announced only every five seconds.
    const isHeard = (waiting: typeof first, ending: typeof first, ends: HeardEnds) => () => {
      const [salesChannelId, taskId] = [`c${++tries}`, `t${tries}`];
      waiting.replicas.announceWaits([salesChannelId, salesChannelId]);
      waiting.replicas.broadcastEnds([{ taskId: 'own', salesChannelId }]);
      ending.replicas.broadcastEnds([{ taskId: 'elsewhere', salesChannelId: 'quiet' }]);
      const last = `c${tries - 1}`;
      ending.replicas.broadcastEnds([{ taskId, salesChannelId: last }]);
      return Promise.resolve(ends.heard.some((id) => id.startsWith('t')));
    };
    await eventually(isHeard(first, second, one), 'the first to hear');
    await eventually(isHeard(second, first, two), 'the second to hear');
    for (const { heard } of [one, two]) expect(heard.filter((id) => !id.startsWith('t'))).toEqual([]);
  });
});
