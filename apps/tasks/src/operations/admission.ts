import type { Database } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { meter } from '@saleschannel/runtime';
import { estimateSlots, WaitingCounter, type Waiting, type WaitingLimits } from '../store/waiting.ts';
import type { AuthorizedTransfer } from './check-transfers.ts';

const RETRY_AFTER_SECONDS = 5;
/** A channel that uses less than 1/50 of its limit is admitted even if others have used up the total. */
const ALWAYS_ADMITTED_DIVISOR = 50;

export const refuseTooManyWaiting = (): DomainError =>
  new DomainError('unavailable', 'Too many transfers are waiting for the ledger. Send the request again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Transfers admitted to the backlog of tasks that wait for the ledger. */
export interface Reservation {
  readonly admitted: ReadonlySet<AuthorizedTransfer>;
  /** Call this as soon as the tasks are stored, or will never be. */
  release(): void;
}

/** Slots reserved and released since the process started. */
interface SlotCounts {
  reserved: number;
  released: number;
}

/** A count by the database, and the slots that were released before the count began. */
interface Count {
  readonly waiting: Waiting;
  readonly releasedInTotal: number;
  readonly releasedPerChannel: ReadonlyMap<string, number>;
}

/** Lifetime of a count. Answers of the ledger free slots only with the next count. */
const COUNT_LIFETIME_MS = 100;
/** Below this share of the limits a count lives longer, because there is room for what other replicas admit. */
const QUIET_SHARE = 0.25;
const QUIET_COUNT_LIFETIME_MS = 1_000;

/**
 * Bounds the tasks that wait for the ledger, in total and per channel, so that neither an outage of the ledger nor a
 * flood of one channel delays all channels without limit. Large transfers use several slots. The database counts slots
 * every 100 ms, or every second while there is plenty of room; slots reserved since then are added here. Other replicas
 * may admit a few more.
 */
export class Admission {
  readonly #limits: WaitingLimits;
  readonly #alwaysAdmitted: number;
  readonly #total: SlotCounts = { reserved: 0, released: 0 };
  readonly #byChannel = new Map<string, SlotCounts>();
  readonly #counter = new WaitingCounter();
  #count: Promise<Count> | undefined;
  #lastCount: Count | undefined;
  #countedAt = 0;
  readonly #refused = meter().createCounter('saleschannel.transfers.not_admitted', {
    description: 'Transfers answered with 503 because too many tasks wait for the ledger',
  });

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
    this.#alwaysAdmitted = Math.ceil(limits.perChannel / ALWAYS_ADMITTED_DIVISOR);
  }

  async reserve(database: Database, transfers: readonly AuthorizedTransfer[]): Promise<Reservation> {
    const count = await this.#countFor(database, transfers);
    const admitted = new Set<AuthorizedTransfer>();
    for (const transfer of transfers) {
      if (!this.#hasRoom(transfer.salesChannelId, count)) continue;
      admitted.add(transfer);
      const slots = estimateSlots(transfer.transfer.assets.length);
      this.#total.reserved += slots;
      this.#findSlots(transfer.salesChannelId).reserved += slots;
    }
    this.#refused.add(transfers.length - admitted.size);
    return { admitted, release: () => this.#release(admitted) };
  }

  /** Runs one count at a time, shared by concurrent calls. */
  #countFor(database: Database, transfers: readonly AuthorizedTransfer[]): Promise<Count> {
    const ageMs = performance.now() - this.#countedAt;
    const lifetimeMs =
      ageMs > COUNT_LIFETIME_MS && this.#isQuiet(transfers) ? QUIET_COUNT_LIFETIME_MS : COUNT_LIFETIME_MS;
    if (!this.#count || ageMs > lifetimeMs) {
      // No other count starts before this one has finished.
      this.#countedAt = Infinity;
      this.#count = this.#runCount(database).finally(() => (this.#countedAt = performance.now()));
      this.#count.catch(() => (this.#count = undefined));
    }
    return this.#count;
  }

  async #runCount(database: Database): Promise<Count> {
    // The count may miss tasks that are stored while it runs, so their slots stay reserved until the next one.
    const releasedPerChannel = new Map([...this.#byChannel].map(([channel, { released }]) => [channel, released]));
    const releasedInTotal = this.#total.released;
    const waiting = await this.#counter.count(database.em());
    return (this.#lastCount = { waiting, releasedInTotal, releasedPerChannel });
  }

  #hasRoom(channel: string, count: Count): boolean {
    const { own, total } = this.#usedBy(channel, count);
    if (own >= this.#limits.perChannel) return false;
    return own < this.#alwaysAdmitted || total < this.#limits.total;
  }

  /** True if the last count and the slots reserved since then leave plenty of room for these transfers. */
  #isQuiet(transfers: readonly AuthorizedTransfer[]): boolean {
    const count = this.#lastCount;
    if (!count) return false;
    return transfers.every(({ salesChannelId }) => {
      const { own, total } = this.#usedBy(salesChannelId, count);
      return own < this.#limits.perChannel * QUIET_SHARE && total < this.#limits.total * QUIET_SHARE;
    });
  }

  /** The counted slots, plus slots whose tasks may have been stored since the count. */
  #usedBy(channel: string, count: Count): { own: number; total: number } {
    const pending = this.#findSlots(channel).reserved - (count.releasedPerChannel.get(channel) ?? 0);
    return {
      own: (count.waiting.perChannel.get(channel) ?? 0) + pending,
      total: count.waiting.total + this.#total.reserved - count.releasedInTotal,
    };
  }

  #release(transfers: ReadonlySet<AuthorizedTransfer>): void {
    for (const { salesChannelId, transfer } of transfers) {
      const slots = estimateSlots(transfer.assets.length);
      this.#total.released += slots;
      this.#findSlots(salesChannelId).released += slots;
    }
  }

  #findSlots(channel: string): SlotCounts {
    const known = this.#byChannel.get(channel);
    if (known) return known;
    const counts = { reserved: 0, released: 0 };
    this.#byChannel.set(channel, counts);
    return counts;
  }
}
