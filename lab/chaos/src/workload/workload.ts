import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '@saleschannel/testing/draw';
import type { ChannelAccess, PublicInstallation } from '../contract.ts';
import { Client } from './client.ts';
import { pageAfter, Poller, Streamer, type LogEvent, Receiver } from './followers.ts';
import { nowMs, RunJournal } from './journal.ts';
import { asChannel, requireAnswer, openMarket, V1, type Market } from './market.ts';
import { decidePending, drawOperation, resumeAll, type Clients } from './operations.ts';
import { Transfers, type Task } from './transfers.ts';

interface WorkloadOptions {
  readonly seed: number;
  /** Folder of the journal. */
  readonly folder: string;
  /** Operations started per second, however long they take. */
  readonly perSecond?: number;
  log(line: string): void;
}

const PER_SECOND = 12;
/**
 * Maximum of concurrent operations. Beyond it none is started, because a machine supports a limited number of clients.
 */
const UNDER_WAY_AT_MOST = 300;
const LOOK_MS = 500;
const PAGE = 1_000;
const NUDGE_EVERY_MS = 5_000;

interface Follow {
  readonly channel: ChannelAccess;
  readonly poller: Poller;
  readonly streamer: Streamer;
  readonly endpointId: string;
  /** Events recorded before the endpoint was created. */
  readonly before: number;
}

/** Clients of all kinds. They work independently and record all requests, answers and events. */
export class Workload {
  readonly journal: RunJournal;
  readonly #world: PublicInstallation;
  readonly #log: WorkloadOptions['log'];
  readonly #perSecond: number;
  readonly #random: () => number;
  readonly #client: Client;
  readonly #transfers: Transfers;
  readonly #receiver: Receiver;
  readonly #markets: Market[] = [];
  readonly #follows: Follow[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #ended = new AbortController();
  #following: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(world: PublicInstallation, { seed, folder, perSecond = PER_SECOND, log }: WorkloadOptions) {
    this.#world = world;
    this.#log = log;
    this.#perSecond = perSecond;
    this.#random = createRandom(seed);
    this.journal = new RunJournal(folder);
    this.#client = new Client(world.gateways, this.journal, this.#random);
    this.#transfers = new Transfers(this.#client, this.journal, this.#random);
    this.#receiver = new Receiver(this.journal, createRandom(seed + 1));
  }

  /** Resolves when every kind of client is active. */
  async start(): Promise<void> {
    const registry = { client: this.#client, key: this.#world.registry };
    await this.#receiver.listen(this.#world.receiverHost);
    for (const channel of this.#world.channels) {
      this.#follows.push(await this.#follow(channel));
      this.#markets.push(await openMarket(this.#world, registry, channel));
    }
    const followers = this.#follows.flatMap(({ poller, streamer }) => [poller, streamer]);
    this.#following = Promise.all(followers.map((follower) => follower.run(this.#ended.signal)));
    this.#timer = setInterval(() => this.#startOne(), 1_000 / this.#perSecond);
    this.#log(`${this.#perSecond} operations a second in ${this.#markets.length} sales channels`);
  }

  /** Starts no new work, and repeats every unknown outcome with its Idempotency-Key until it is known. */
  async finish(deadlineMs: number): Promise<void> {
    clearInterval(this.#timer);
    const deadline = nowMs() + deadlineMs;
    this.#client.giveUpAt(deadline);
    const all = Promise.all(this.#underWay).then(() => true);
    await resumeAll(this.#clients);
    // Transactions that wait for approval end only with a decision.
    while (!(await Promise.race([all, delay(LOOK_MS, false)])) && nowMs() < deadline)
      await decidePending(this.#clients, 1, 50);
    await this.#untilFollowed(deadline);
    this.#ended.abort();
    await this.#following;
    await this.#receiver.close();
    await this.#client.close();
    await this.journal.close();
  }

  get #clients(): Clients {
    const registry = { client: this.#client, key: this.#world.registry };
    const [transfers, journal, random, markets] = [this.#transfers, this.journal, this.#random, this.#markets];
    return { registry, operators: this.#world.operators, transfers, journal, random, markets };
  }

  #startOne(): void {
    const operation = drawOperation(this.#random);
    const market = this.#transfers.pick(this.#markets);
    if (this.#underWay.size >= UNDER_WAY_AT_MOST) return;
    const work = operation(this.#clients, market).catch((error: unknown) => {
      this.#log(`A client failed: ${error instanceof Error ? error.stack : String(error)}`);
    });
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }

  /** Records the initial state of a sales channel and creates its followers. */
  async #follow(channel: ChannelAccess): Promise<Follow> {
    const list = async <T>(kind: string, path: string): Promise<T[]> =>
      requireAnswer(await this.#client.send<T[]>(asChannel(channel, { kind, path })), path);
    const { url, secret } = this.#receiver.open(channel.id);
    const events = await list<LogEvent>('read log', pageAfter(undefined, PAGE));
    const tasks = await list<Task>('read tasks', `${V1}/tasks?$limit=${PAGE}`);
    const transactions = await list<{ id: string }>('read transactions', `${V1}/transactions`);
    this.journal.add({
      type: 'baseline',
      channel: channel.id,
      events: events.map(({ id }) => id),
      tasks: tasks.map(({ taskId }) => taskId),
      transactions: transactions.map(({ id }) => id),
    });
    const create = { kind: 'create webhook endpoint', method: 'POST', path: `${V1}/webhook-endpoints` } as const;
    const endpoint = await this.#client.send<{ id: string; secret: string }>(
      asChannel(channel, { ...create, body: { url, ordered: true }, expected: [201] }),
    );
    const { id: endpointId, secret: given } = requireAnswer(endpoint, 'a webhook endpoint');
    secret.resolve(given);
    return {
      channel,
      poller: new Poller(this.#client, channel, this.journal),
      streamer: new Streamer(this.#client, channel, this.journal),
      endpointId,
      before: events.length,
    };
  }

  /** Resolves when all followers have seen the same number of events in two consecutive polls. */
  async #untilFollowed(deadline: number): Promise<void> {
    let nudgedAt = nowMs();
    for (let seen = -1; nowMs() < deadline;) {
      const counts = this.#follows.map(({ channel, poller, streamer, before }) => [
        poller.seen.size,
        streamer.seen.size,
        (this.#receiver.accepted.get(channel.id)?.size ?? 0) + before,
      ]);
      const isEqual = counts.every(([polled, ...others]) => others.every((count) => count === polled));
      const sum = counts.flat().reduce((total, count) => total + count, 0);
      if (isEqual && sum === seen) return;
      seen = sum;
      if (nowMs() - nudgedAt > NUDGE_EVERY_MS) {
        nudgedAt = nowMs();
        await Promise.all(this.#follows.map((follow) => this.#nudge(follow)));
      }
      await delay(LOOK_MS * 3);
    }
  }

  /** Retries a message whose next attempt may be hours away. */
  async #nudge({ channel, endpointId }: Follow): Promise<void> {
    const path = `${V1}/webhook-endpoints/${endpointId}/deliveries`;
    const query = '?$filter[status][eq]=PENDING&$orderBy[createdAt]=asc&$limit=1';
    const listed = await this.#client.send<{ id: string; attemptCount: number }[]>(
      asChannel(channel, { kind: 'list deliveries', path: `${path}${query}` }),
    );
    const [delivery] = listed?.body ?? [];
    if (!delivery || delivery.attemptCount === 0) return;
    const retry = { kind: 'retry delivery', method: 'POST', path: `${path}/${delivery.id}/retry` } as const;
    await this.#client.send(asChannel(channel, { ...retry, expected: [202, 400, 404] }));
  }
}
