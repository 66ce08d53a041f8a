import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '@saleschannel/database';
import type { LedgerPartition } from '@saleschannel/messaging';
import { createJob, type Logger, type Part } from '@saleschannel/runtime';
import { partitionsOf } from '../domain/partitions-of.ts';
import { announceReplica, removeReplica } from '../store/ledger-replicas.ts';

const BEAT_MS = 2_000;
/** A replica that was not seen for so long is gone. */
const GONE_AFTER_SECONDS = 5;
/** A channel that a fault has closed is replaced within a beat. */
const BEATS_UNTIL_WITHDRAWN = 2;
/** A partition that changes hands has no consumer for a moment. */
const BEATS_UNTIL_ABANDONED = 2;
const HOST_CHARACTERS_AT_MOST = 60;

/** What consumes a partition. */
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
 * This replica's share of the ledger's partitions. Every replica announces itself in the database while it reaches the
 * broker too, reads which others are there, and consumes its share among them. So the ledger is as wide as there are
 * replicas, up to one for each partition, and nobody has to assign. The share of a replica that ends goes over within
 * two seconds, that of one that dies or loses the database within seven, and that of one that loses the broker within
 * fifteen, of which up to nine pass before both sides notice. A partition that has no consumer although its replica
 * announces itself is consumed by all others, until replicas come or go.
 *
 * The risk is that two replicas differ for a moment about who is there. Then a partition has two consumers, of which
 * the broker keeps one waiting, or none until the next beat. The promises do not depend on the shares: one active
 * consumer keeps the order, and locks keep a transfer from being carried out twice. So in doubt a replica keeps its
 * share: while the database cannot be asked, and for one beat after a partition has fallen to another replica.
 */
export class LedgerShare implements Part {
  readonly id = `${hostname().slice(0, HOST_CHARACTERS_AT_MOST)}-${randomUUID()}`;
  readonly #options: LedgerShareOptions;
  readonly #job: Part;
  #share: ReadonlySet<LedgerPartition> = new Set();
  readonly #adopted = new Set<LedgerPartition>();
  /** For how many beats in a row a partition of another replica had no consumer. */
  readonly #withoutConsumer = new Map<LedgerPartition, number>();
  #members = '';
  #beatsUnready = 0;
  #isAnnounced = false;
  #beating: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: LedgerShareOptions) {
    this.#options = options;
    this.#job = createJob({ everyMs: BEAT_MS, work: () => this.#look(), failed: () => undefined });
  }

  start(): Promise<void> {
    return this.#job.start();
  }

  /** Tells the other replicas, which need not wait until this one is missed. The consumers end by themselves. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#job.stop();
    await this.#beating;
    await this.#withdraw().catch((error: unknown) => this.#report(error));
  }

  /** Does not wait for the next beat when the last consumer has become ready. */
  consumerReady(): void {
    if (this.#isReady) void this.#look();
  }

  get #isReady(): boolean {
    return [...this.#options.consumers.values()].every(({ isReady }) => isReady);
  }

  #look(): Promise<void> {
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
    this.#share = partitionsOf(this.id, replicas, [...consumers.keys()]);
    this.#forgetAdopted(replicas);
    const isOther = before.size !== this.#share.size || [...before].some((partition) => !this.#share.has(partition));
    if (isOther) logger.info({ replicas: replicas.length, partitions: [...this.#share] }, 'partitions of the ledger');
    const assigned = new Set([...before, ...this.#share, ...this.#adopted]);
    await Promise.all([...consumers].map(([partition, consumer]) => consumer.assign(assigned.has(partition))));
    await this.#adoptAbandoned(assigned);
  }

  /** A replica that cannot consume leaves its share to those that can. */
  async #mayAnnounce(): Promise<boolean> {
    if (this.#isReady) {
      this.#beatsUnready = 0;
      return true;
    }
    this.#beatsUnready++;
    if (!this.#isAnnounced) return false;
    if (this.#beatsUnready < BEATS_UNTIL_WITHDRAWN) return true;
    this.#options.logger.error('the queues of the ledger cannot be consumed: leaving its partitions to other replicas');
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

  /** Consumes partitions of others that nobody consumes. */
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
    this.#options.logger.warn({ err: error }, 'replicas of the ledger cannot be read; its partitions stay as they are');
  }
}
