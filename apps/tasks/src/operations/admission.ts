import type { Database } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { meter } from '@saleschannel/runtime';
import { placesFor, WaitingCounter, type Waiting, type WaitingLimits } from '../store/waiting.ts';
import type { AdmittedTransfer } from './admit-transfer.ts';

const RETRY_AFTER_SECONDS = 5;
/** A channel with less than this part of its share waiting is let in even when others have taken all the rest. */
const ALWAYS_LET_IN_PART = 50;

export const tooManyWaiting = (): DomainError =>
  new DomainError(
    'unavailable',
    'Too many transfers wait for the ledger at the moment. Send the request again later.',
    {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );

/** Transfers for which there is room among the tasks that wait for the ledger. */
export interface Reservation {
  readonly letIn: ReadonlySet<AdmittedTransfer>;
  /** The tasks are stored by now, or will never be. */
  release(): void;
}

/** How many places were ever taken and given back, by whoever. */
interface Places {
  taken: number;
  givenBack: number;
}

/** What the database counted, and how many places had been given back before it did. */
interface Count {
  readonly waiting: Waiting;
  readonly inAllBefore: number;
  readonly before: ReadonlyMap<string, number>;
}

/** A count serves for so long. What the ledger has answered meanwhile makes room with the next one. */
const COUNT_SERVES_MS = 100;
/** While less than this part of the limits is taken a count serves longer: what others let in meanwhile has room. */
const QUIET_PART = 0.25;
const QUIET_COUNT_SERVES_MS = 1_000;

/**
 * Bounds the tasks that wait for the ledger, in total and per channel, so that neither a ledger that is away nor one
 * channel's flood makes everybody wait without end. Large transfers take several places. Places are counted in the
 * database, a few times per second, or once while there is plenty of room; transfers that were let in since count from
 * here, stored or not. Other replicas may let in a few more.
 */
export class Admission {
  readonly #limits: WaitingLimits;
  readonly #alwaysLetIn: number;
  readonly #inAll: Places = { taken: 0, givenBack: 0 };
  readonly #byChannel = new Map<string, Places>();
  readonly #waiting = new WaitingCounter();
  #count: Promise<Count> | undefined;
  #counted: Count | undefined;
  #countedAt = 0;
  readonly #refused = meter().createCounter('saleschannel.transfers.not_admitted', {
    description: 'Transfers answered with 503 because too many tasks wait for the ledger',
  });

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
    this.#alwaysLetIn = Math.ceil(limits.perChannel / ALWAYS_LET_IN_PART);
  }

  async reserve(database: Database, transfers: readonly AdmittedTransfer[]): Promise<Reservation> {
    const count = await this.#countFor(database, transfers);
    const letIn = new Set<AdmittedTransfer>();
    for (const transfer of transfers) {
      if (!this.#hasRoom(transfer.salesChannelId, count)) continue;
      letIn.add(transfer);
      const places = placesFor(transfer.transfer.assets.length);
      this.#inAll.taken += places;
      this.#placesOf(transfer.salesChannelId).taken += places;
    }
    this.#refused.add(transfers.length - letIn.size);
    return { letIn, release: () => this.#giveBack(letIn) };
  }

  /** One count at a time, shared by all who ask meanwhile. */
  #countFor(database: Database, transfers: readonly AdmittedTransfer[]): Promise<Count> {
    const ageMs = performance.now() - this.#countedAt;
    const servesMs = ageMs > COUNT_SERVES_MS && this.#isQuiet(transfers) ? QUIET_COUNT_SERVES_MS : COUNT_SERVES_MS;
    if (!this.#count || ageMs > servesMs) {
      // Nobody asks for the next one before this one is there.
      this.#countedAt = Infinity;
      this.#count = this.#askFor(database).finally(() => (this.#countedAt = performance.now()));
      this.#count.catch(() => (this.#count = undefined));
    }
    return this.#count;
  }

  async #askFor(database: Database): Promise<Count> {
    // What is stored while the database counts may be in the count or not, so it is not given back before it.
    const before = new Map([...this.#byChannel].map(([channel, { givenBack }]) => [channel, givenBack]));
    const inAllBefore = this.#inAll.givenBack;
    return (this.#counted = { waiting: await this.#waiting.count(database.em()), inAllBefore, before });
  }

  #hasRoom(channel: string, count: Count): boolean {
    const { own, inAll } = this.#takenOf(channel, count);
    if (own >= this.#limits.perChannel) return false;
    return own < this.#alwaysLetIn || inAll < this.#limits.inAll;
  }

  /** Whether there was plenty of room for these and all that were let in since the last count. */
  #isQuiet(transfers: readonly AdmittedTransfer[]): boolean {
    const count = this.#counted;
    if (!count) return false;
    return transfers.every(({ salesChannelId }) => {
      const { own, inAll } = this.#takenOf(salesChannelId, count);
      return own < this.#limits.perChannel * QUIET_PART && inAll < this.#limits.inAll * QUIET_PART;
    });
  }

  /** What was counted, with all that may have been stored since. */
  #takenOf(channel: string, { waiting, inAllBefore, before }: Count): { own: number; inAll: number } {
    const aboutToBe = this.#placesOf(channel).taken - (before.get(channel) ?? 0);
    return {
      own: (waiting.perChannel.get(channel) ?? 0) + aboutToBe,
      inAll: waiting.inAll + this.#inAll.taken - inAllBefore,
    };
  }

  #giveBack(transfers: ReadonlySet<AdmittedTransfer>): void {
    for (const { salesChannelId, transfer } of transfers) {
      const places = placesFor(transfer.assets.length);
      this.#inAll.givenBack += places;
      this.#placesOf(salesChannelId).givenBack += places;
    }
  }

  #placesOf(channel: string): Places {
    const known = this.#byChannel.get(channel);
    if (known) return known;
    const places = { taken: 0, givenBack: 0 };
    this.#byChannel.set(channel, places);
    return places;
  }
}
