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
const HOST_CHARACTERS_AT_MOST = 60;

export interface LedgerShareOptions {
  readonly database: Pick<Database, 'em'>;
  readonly consumers: ReadonlyMap<LedgerPartition, { assign(isAssigned: boolean): Promise<void> }>;
  readonly logger: Logger;
}

/**
 * This replica's share of the ledger's partitions. Every replica says in the database that it is there, reads who else
 * is, and consumes what falls to it among them. So the ledger is as wide as there are replicas, up to one for each
 * partition, without anybody who assigns: a replica that comes has its share within about four seconds, that of one
 * that ends goes over within two, and of one that dies within seven. The risk is that two differ for a moment about who
 * is there. Then a partition has two consumers, of which the broker keeps one waiting, or none until the next beat.
 * What carries the promises is not this: one active consumer keeps the order, and locks keep transfers from being
 * carried out twice. So in doubt a replica keeps what it has: while the database cannot be asked, and for one beat
 * after a partition has fallen to another, which has begun by then.
 */
export class LedgerShare implements Part {
  readonly id = `${hostname().slice(0, HOST_CHARACTERS_AT_MOST)}-${randomUUID()}`;
  readonly #options: LedgerShareOptions;
  readonly #job: Part;
  #share: ReadonlySet<LedgerPartition> = new Set();
  #first: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: LedgerShareOptions) {
    this.#options = options;
    this.#job = createJob({ everyMs: BEAT_MS, work: () => this.#beat(), failed: (error) => this.#report(error) });
  }

  async start(): Promise<void> {
    this.#first = this.#beat().catch((error: unknown) => this.#report(error));
    await this.#job.start();
  }

  /** The others need not wait until this one is gone. The consumers end by themselves. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#job.stop();
    await this.#first;
    await removeReplica(this.#options.database.em(), this.id).catch((error: unknown) => this.#report(error));
  }

  async #beat(): Promise<void> {
    const { database, consumers } = this.#options;
    const replicas = await announceReplica(database.em(), this.id, GONE_AFTER_SECONDS);
    if (this.#isStopping) return;
    const before = this.#share;
    this.#share = partitionsOf(this.id, replicas, [...consumers.keys()]);
    const isOther = before.size !== this.#share.size || [...before].some((partition) => !this.#share.has(partition));
    if (isOther)
      this.#options.logger.info(
        { replicas: replicas.length, partitions: [...this.#share] },
        'partitions of the ledger',
      );
    const assigned = new Set([...before, ...this.#share]);
    await Promise.all([...consumers].map(([partition, consumer]) => consumer.assign(assigned.has(partition))));
  }

  #report(error: unknown): void {
    this.#options.logger.warn(
      { err: error },
      'cannot say or see who shares the ledger; its partitions stay as they are',
    );
  }
}
