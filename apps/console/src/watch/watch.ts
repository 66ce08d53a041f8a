import { createClient, type ReplyOf, type ServiceClient } from '@saleschannel/grpc';
import type { QueueLevel, QueueLevels } from '@saleschannel/messaging';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { serviceNames, type ServiceName } from '../environment.ts';
import type { Context } from '../context.ts';
import { HealthWatch, PROBE_TIMEOUT_MS, type PartHealth } from './health.ts';
import { Rate } from './rates.ts';

const EVERY_MS = 2_000;
/** While nobody looks. It is then known to this time since when a service has been down. */
const UNWATCHED_MS = 20_000;

type ServiceActivity = ReplyOf<'activity.GetActivity'>;

/** The picture of an installation at one time. */
export interface Activity {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly rates: { readonly ledger: number | null; readonly tasks: number | null; readonly events: number | null };
  readonly waitingTasks: number | null;
  readonly unfinishedImports: number | null;
  readonly outboxes: readonly { readonly service: string; readonly ageSeconds: number; readonly refused: number }[];
  /** None while the broker cannot be asked. */
  readonly queues: readonly QueueLevel[];
  readonly services: readonly PartHealth[];
}

export interface WatchOptions {
  readonly connection: Context['connection'];
  readonly levels: QueueLevels;
  /** Aborted when the console stops. */
  readonly closing: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Has nothing to tell of itself. */
const SILENT: readonly ServiceName[] = ['traders', 'webhooks'];

/**
 * Makes one picture of the installation every other second while anybody looks, however many they are. What takes
 * longer than the time between two pictures is missing in one, and holds up none.
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
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
    const { connection, now } = options;
    const { addresses, tokens } = connection;
    this.#health = new HealthWatch(connection, now);
    this.#clients = new Map(
      serviceNames
        .filter((name) => !SILENT.includes(name))
        .map((name) => [name, createClient('activity', { address: addresses[name], tokens, receiver: name })]),
    );
    this.#latest = this.#picture(new Map());
    this.#job = createJob({
      everyMs: EVERY_MS,
      work: () => this.#tick(),
      failed: this.#failed,
    });
  }

  get latest(): Activity {
    return this.#latest;
  }

  /** A picture that is no older than those of a stream. */
  async fresh(): Promise<Activity> {
    if (performance.now() - this.#lookedAtMs > EVERY_MS) await this.#look();
    return this.#latest;
  }

  /** Undefined while the broker cannot be asked. */
  get queues(): readonly QueueLevel[] | undefined {
    return this.#queues;
  }

  /** Calls back with each new picture. Returns what ends that. */
  subscribe(watcher: (activity: Activity) => void): () => void {
    this.#watchers.add(watcher);
    if (performance.now() - this.#lookedAtMs > EVERY_MS) void this.#look().catch(this.#failed);
    return () => this.#watchers.delete(watcher);
  }

  /** Whoever waits for more pictures gets none then. */
  get closing(): AbortSignal {
    return this.#options.closing;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  async start(): Promise<void> {
    // The first picture is made at once, and nobody waits for it: the console is there while others are not.
    void this.#look().catch(this.#failed);
    await this.#job.start();
  }

  async stop(): Promise<void> {
    await this.#job.stop();
    this.#health.close();
    this.#options.levels.close();
    for (const client of this.#clients.values()) client.close();
  }

  readonly #failed = (error: unknown): void =>
    this.#options.logger.error({ err: error }, 'the activity of the installation cannot be read');

  async #tick(): Promise<void> {
    const isDue = this.#watchers.size > 0 || performance.now() - this.#lookedAtMs >= UNWATCHED_MS;
    if (isDue) await this.#look();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#makePicture().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #makePicture(): Promise<void> {
    this.#lookedAtMs = performance.now();
    const [answers] = await Promise.all([this.#ask(), this.#health.look(), this.#lookAtQueues()]);
    this.#latest = this.#picture(answers);
    for (const watcher of this.#watchers) watcher(this.#latest);
  }

  async #ask(): Promise<ReadonlyMap<ServiceName, ServiceActivity>> {
    const answers = await Promise.all(
      [...this.#clients].map(async ([name, client]): Promise<[ServiceName, ServiceActivity][]> => {
        try {
          return [[name, await client.GetActivity({}, { timeoutMs: PROBE_TIMEOUT_MS })]];
        } catch {
          // Its health says so.
          return [];
        }
      }),
    );
    return new Map(answers.flat());
  }

  /** A broker that says nothing is down for this picture, and is not asked again before it has answered. */
  async #lookAtQueues(): Promise<void> {
    this.#readingQueues ??= this.#options.levels
      .read()
      .catch(() => undefined)
      .finally(() => (this.#readingQueues = undefined));
    this.#queues = await Promise.race([this.#readingQueues, timeout(PROBE_TIMEOUT_MS)]);
    this.#health.noteBroker(this.#queues !== undefined);
  }

  #picture(answers: ReadonlyMap<ServiceName, ServiceActivity>): Activity {
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
      waitingTasks: numberOf(answers.get('tasks')?.waitingTasks),
      unfinishedImports: numberOf(answers.get('registry-import')?.unfinishedImports),
      outboxes: [...answers].flatMap(([service, { outbox }]) =>
        outbox ? [{ service, ageSeconds: outbox.ageSeconds, refused: Number(outbox.refused) }] : [],
      ),
      queues: this.#queues ?? [],
      services: this.#health.parts,
    };
  }
}

const numberOf = (count: string | undefined): number | null => (count === undefined ? null : Number(count));

const timeout = (ms: number): Promise<undefined> =>
  new Promise((resolve) => void setTimeout(() => resolve(undefined), ms).unref());
