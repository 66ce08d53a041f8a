import { createClient, type ReplyOf, type ServiceClient } from '@saleschannel/grpc';
import type { QueueLevel, QueueLevels } from '@saleschannel/messaging';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { serviceNames, type ServiceName } from '../environment.ts';
import type { Context } from '../http/operation.ts';
import { HealthWatch, PROBE_TIMEOUT_MS, type PartHealth } from './health.ts';

/** Number of snapshots per rate: smoother than two, and still recent. */
const SAMPLES_AT_MOST = 6;

interface Sample {
  readonly count: bigint;
  /** Monotonic clock, in milliseconds. */
  readonly atMs: number;
}

export class Rate {
  #samples: Sample[] = [];

  /** @param count undefined if it could not be read, which restarts the measurement */
  add(count: bigint | undefined, atMs: number): void {
    const last = this.#samples.at(-1);
    // The database was restored to an earlier time.
    if (count === undefined || (last && count < last.count)) this.#samples = [];
    if (count !== undefined) this.#samples = [...this.#samples, { count, atMs }].slice(-SAMPLES_AT_MOST);
  }

  /** Null before the second count. */
  get perSecond(): number | null {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || last.atMs <= first.atMs) return null;
    return Math.round((Number(last.count - first.count) * 10_000) / (last.atMs - first.atMs)) / 10;
  }
}

const EVERY_MS = 2_000;
/** Interval without viewers: the precision of the times of outages then. */
const UNWATCHED_MS = 20_000;

type ServiceActivity = ReplyOf<'activity.GetActivity'>;

export interface Activity {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly rates: { readonly ledger: number | null; readonly tasks: number | null; readonly events: number | null };
  readonly waitingTasks: number | null;
  readonly unfinishedImports: number | null;
  readonly outboxes: readonly { readonly service: string; readonly ageSeconds: number; readonly refused: number }[];
  /** Empty while the broker cannot be reached. */
  readonly queues: readonly QueueLevel[];
  readonly services: readonly PartHealth[];
}

export interface WatchOptions {
  readonly connection: Context['connection'];
  readonly levels: QueueLevels;
  /** Aborts when the console stops. */
  readonly closing: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

const WITHOUT_ACTIVITY: readonly ServiceName[] = ['traders', 'webhooks'];

/**
 * Takes a snapshot of the installation every two seconds while there are viewers, and shares it among them. Slow
 * answers are left out of a snapshot and do not delay it.
 */
export class Watch implements Part {
  readonly #options: WatchOptions;
  readonly #health: HealthWatch;
  readonly #clients: ReadonlyMap<ServiceName, ServiceClient<'activity'>>;
  readonly #rates = { ledger: new Rate(), tasks: new Rate(), events: new Rate() };
  readonly #watchers = new Set<(activity: Activity) => void>();
  readonly #job: Part;
  #queues: readonly QueueLevel[] | undefined;
  #readingQueues: Promise<readonly QueueLevel[] | undefined> | undefined;
  #latest: Activity;
  /** On the `performance.now()` clock. */
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    const { connection, now } = options;
    const { addresses, tokens } = connection;
    this.#health = new HealthWatch(connection, now);
    this.#clients = new Map(
      serviceNames
        .filter((name) => !WITHOUT_ACTIVITY.includes(name))
        .map((name) => [name, createClient('activity', { address: addresses[name], tokens, receiver: name })]),
    );
    this.#latest = this.#toActivity(new Map());
    this.#job = createJob({
      everyMs: EVERY_MS,
      work: () => this.#tick(),
      onError: this.#failed,
    });
  }

  get latest(): Activity {
    return this.#latest;
  }

  /** Returns a snapshot that is at least as new as the latest snapshot of a stream. */
  async readFresh(): Promise<Activity> {
    if (performance.now() - this.#refreshedAtMs > EVERY_MS) await this.#refresh();
    return this.#latest;
  }

  /** Undefined while the broker cannot be reached. */
  get queues(): readonly QueueLevel[] | undefined {
    return this.#queues;
  }

  /** Calls `watcher` with each new snapshot. Returns a function that ends the subscription. */
  subscribe(watcher: (activity: Activity) => void): () => void {
    this.#watchers.add(watcher);
    if (performance.now() - this.#refreshedAtMs > EVERY_MS) void this.#refresh().catch(this.#failed);
    return () => this.#watchers.delete(watcher);
  }

  /** Aborts when there will be no more snapshots. */
  get closing(): AbortSignal {
    return this.#options.closing;
  }

  get subscriberCount(): number {
    return this.#watchers.size;
  }

  async start(): Promise<void> {
    // Not awaited: the console starts even if services do not answer.
    void this.#refresh().catch(this.#failed);
    await this.#job.start();
  }

  async stop(): Promise<void> {
    await this.#job.stop();
    this.#health.close();
    this.#options.levels.close();
    for (const client of this.#clients.values()) client.close();
  }

  readonly #failed = (error: unknown): void =>
    this.#options.logger.error({ err: error }, 'the activity of the installation could not be read');

  async #tick(): Promise<void> {
    const isDue = this.#watchers.size > 0 || performance.now() - this.#refreshedAtMs >= UNWATCHED_MS;
    if (isDue) await this.#refresh();
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#takeSnapshot().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #takeSnapshot(): Promise<void> {
    this.#refreshedAtMs = performance.now();
    const [answers] = await Promise.all([this.#ask(), this.#health.check(), this.#readQueues()]);
    this.#latest = this.#toActivity(answers);
    for (const watcher of this.#watchers) watcher(this.#latest);
  }

  async #ask(): Promise<ReadonlyMap<ServiceName, ServiceActivity>> {
    const answers = await Promise.all(
      [...this.#clients].map(async ([name, client]): Promise<[ServiceName, ServiceActivity][]> => {
        try {
          return [[name, await client.GetActivity({}, { timeoutMs: PROBE_TIMEOUT_MS })]];
        } catch {
          // Its health shows the failure.
          return [];
        }
      }),
    );
    return new Map(answers.flat());
  }

  /** A broker that does not answer counts as down, and is not called again until it has answered. */
  async #readQueues(): Promise<void> {
    this.#readingQueues ??= this.#options.levels
      .read()
      .catch(() => undefined)
      .finally(() => (this.#readingQueues = undefined));
    this.#queues = await Promise.race([this.#readingQueues, timeout(PROBE_TIMEOUT_MS)]);
    this.#health.recordBroker(this.#queues !== undefined);
  }

  #toActivity(answers: ReadonlyMap<ServiceName, ServiceActivity>): Activity {
    const atMs = performance.now();
    for (const [name, service] of [
      ['ledger', 'inventory'],
      ['tasks', 'tasks'],
      ['events', 'events'],
    ] as const) {
      const changes = answers.get(service)?.changes;
      this.#rates[name].add(changes === undefined ? undefined : BigInt(changes), atMs);
    }
    const { ledger, tasks, events } = this.#rates;
    return {
      at: new Date(this.#options.now()).toISOString(),
      rates: { ledger: ledger.perSecond, tasks: tasks.perSecond, events: events.perSecond },
      waitingTasks: toNumber(answers.get('tasks')?.waitingTasks),
      unfinishedImports: toNumber(answers.get('registry-import')?.unfinishedImports),
      outboxes: [...answers].flatMap(([service, { outbox }]) =>
        outbox ? [{ service, ageSeconds: outbox.ageSeconds, refused: Number(outbox.refused) }] : [],
      ),
      queues: this.#queues ?? [],
      services: this.#health.parts,
    };
  }
}

const toNumber = (count: string | undefined): number | null => (count === undefined ? null : Number(count));

const timeout = (ms: number): Promise<undefined> =>
  new Promise((resolve) => void setTimeout(() => resolve(undefined), ms).unref());
