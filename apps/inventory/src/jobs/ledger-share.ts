import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '@saleschannel/database';
import type { LedgerPartition } from '@saleschannel/messaging';
import { stableHash } from '@saleschannel/primitives';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { announceReplica, removeReplica } from '../store/ledger-replicas.ts';

const BEAT_MS = 2_000;
/** Silence after which a replica counts as gone. */
const GONE_AFTER_SECONDS = 5;
/** A channel that closed because of a fault is replaced within one beat. */
const BEATS_UNTIL_WITHDRAWN = 2;
/** A reassigned partition has no consumer for a moment. */
const BEATS_UNTIL_ABANDONED = 2;
const MAX_HOST_CHARACTERS = 60;

/** Consumer of a partition. */
export interface PartitionConsumer {
  readonly isReady: boolean;
  assign(isAssigned: boolean): Promise<void>;
  countConsumers(): Promise<number | undefined>;
}

export interface LedgerShareOptions {
  readonly database: Pick<Database, 'em'>;
  readonly consumers: ReadonlyMap<LedgerPartition, PartitionConsumer>;
  readonly logger: Logger;
}

/**
 * This replica's share of the ledger's partitions. Each replica that reaches the broker announces itself in the
 * database, reads which other replicas are announced, and consumes its share. The ledger thus scales to one replica per
 * partition, without a coordinator. Other replicas take over a share within 2 seconds after its replica stops, 7
 * seconds after it crashes or loses the database, and 15 seconds after it loses the broker, of which both sides need up
 * to 9 to notice. If an announced replica does not consume its partition, all others do, until a replica joins or
 * leaves.
 *
 * Replicas may disagree for a moment about their members. A partition then has two consumers, one of which the broker
 * keeps waiting, or none until the next beat. Correctness does not depend on shares: the single active consumer keeps
 * the order, and locks prevent double execution. So in doubt a replica keeps its share: while the database is
 * unreachable, and for one beat after a partition moved to another replica.
 */
export class LedgerShare implements Part {
  readonly id = `${hostname().slice(0, MAX_HOST_CHARACTERS)}-${randomUUID()}`;
  readonly #options: LedgerShareOptions;
  readonly #job: Part;
  #share: ReadonlySet<LedgerPartition> = new Set();
  readonly #adopted = new Set<LedgerPartition>();
  /** Consecutive beats in which a partition of another replica had no consumer. */
  readonly #withoutConsumer = new Map<LedgerPartition, number>();
  #members = '';
  #beatsUnready = 0;
  #isAnnounced = false;
  #beating: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: LedgerShareOptions) {
    this.#options = options;
    this.#job = createJob({ everyMs: BEAT_MS, work: () => this.#beatOnce(), onError: () => undefined });
  }

  start(): Promise<void> {
    return this.#job.start();
  }

  /** Withdraws at once, so that other replicas do not wait for the timeout. Consumers stop by themselves. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#job.stop();
    await this.#beating;
    await this.#withdraw().catch((error: unknown) => this.#report(error));
  }

  /** Announces this replica as soon as its last consumer is ready. */
  consumerReady(): void {
    if (this.#isReady) void this.#beatOnce();
  }

  get #isReady(): boolean {
    return [...this.#options.consumers.values()].every(({ isReady }) => isReady);
  }

  /** Joins a running beat. */
  #beatOnce(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: unknown) => this.#report(error))
      .finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async #beat(): Promise<void> {
    const { database, consumers, logger } = this.#options;
    if (this.#isStopping || !(await this.#mayAnnounce())) return;
    const replicas = await announceReplica(database.em(), this.id, GONE_AFTER_SECONDS);
    this.#isAnnounced = true;
    if (this.#isStopping) return;
    const before = this.#share;
    this.#share = selectPartitions(this.id, replicas, [...consumers.keys()]);
    this.#forgetAdopted(replicas);
    const hasChanged = before.size !== this.#share.size || [...before].some((partition) => !this.#share.has(partition));
    if (hasChanged)
      logger.info({ replicas: replicas.length, partitions: [...this.#share] }, 'partitions of the ledger');
    const assigned = new Set([...before, ...this.#share, ...this.#adopted]);
    await Promise.all([...consumers].map(([partition, consumer]) => consumer.assign(assigned.has(partition))));
    await this.#adoptAbandoned(assigned);
  }

  /** Withdraws a replica that cannot consume. */
  async #mayAnnounce(): Promise<boolean> {
    if (this.#isReady) {
      this.#beatsUnready = 0;
      return true;
    }
    this.#beatsUnready++;
    if (!this.#isAnnounced) return false;
    if (this.#beatsUnready < BEATS_UNTIL_WITHDRAWN) return true;
    this.#options.logger.error('cannot consume the queues of the ledger: leaving its partitions to other replicas');
    await this.#withdraw();
    return false;
  }

  async #withdraw(): Promise<void> {
    await removeReplica(this.#options.database.em(), this.id);
    this.#isAnnounced = false;
  }

  #forgetAdopted(replicas: readonly string[]): void {
    const members = replicas.toSorted().join();
    if (members === this.#members) return;
    this.#members = members;
    this.#adopted.clear();
    this.#withoutConsumer.clear();
  }

  /** Takes over partitions of other replicas that have no consumer. */
  async #adoptAbandoned(assigned: ReadonlySet<LedgerPartition>): Promise<void> {
    const others = [...this.#options.consumers].filter(([partition]) => !assigned.has(partition));
    const counts = await Promise.all(others.map(([, consumer]) => consumer.countConsumers()));
    for (const [index, [partition, consumer]] of others.entries()) {
      const beats = counts[index] === 0 ? (this.#withoutConsumer.get(partition) ?? 0) + 1 : 0;
      this.#withoutConsumer.set(partition, beats);
      if (beats < BEATS_UNTIL_ABANDONED) continue;
      this.#options.logger.warn({ partition }, 'a partition of the ledger has no consumer: taking it over');
      this.#adopted.add(partition);
      await consumer.assign(true);
    }
  }

  #report(error: unknown): void {
    this.#options.logger.warn({ err: error }, 'cannot read the replicas of the ledger: keeping its partitions');
  }
}

/**
 * Selects the partitions of a replica by rendezvous hashing: each goes to the replica with the highest weight for it.
 * Replicas that know the same members agree, and a replica that comes or goes moves only its own share.
 */
export const selectPartitions = <P extends number>(
  replica: string,
  replicas: readonly string[],
  partitions: readonly P[],
): ReadonlySet<P> => new Set(partitions.filter((partition) => selectOwner(partition, replicas) === replica));

function selectOwner(partition: number, replicas: readonly string[]): string | undefined {
  const weighted = replicas.map((replica) => ({ replica, weight: stableHash(`${replica}/${partition}`) }));
  // Ties go to the lower name, so that the order of the replicas does not matter.
  weighted.sort((one, other) => other.weight - one.weight || (one.replica < other.replica ? -1 : 1));
  return weighted[0]?.replica;
}
