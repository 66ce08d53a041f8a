import type { Availability } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { createJob, unlessAborted, type Part } from '@saleschannel/runtime';
import type { RecordedEvent } from '../domain/event.ts';

/** Between two looks at the heads of the channels that are followed: for events that another replica has recorded. */
const LOOK_MS = 250;
/** Of one page of a stream. */
export const EVENTS_AT_ONCE = 200;
/** Streams of one process, and of one sales channel. Beyond it, one is told to come back. */
const STREAMS_AT_MOST = 2_000;
const STREAMS_OF_CHANNEL_AT_MOST = 100;
const RETRY_AFTER_SECONDS = 15;
/** Another replica may have the log. */
const RETRY_AFTER_LOSS_SECONDS = 1;

/** Of a sales channel that is followed. */
interface Followed {
  streams: number;
  /** Counts the times that its log may have changed. */
  changes: number;
  /** When its last event was recorded, as far as is known. */
  last: string | undefined;
  readonly waiting: Set<() => void>;
}

export interface FeedOptions {
  readonly availability: Pick<Availability, 'isLost' | 'onChange'>;
  /** The events of a channel that were recorded after a time, oldest first, no more than {@link EVENTS_AT_ONCE}. */
  read(salesChannelId: string, afterMs: number): Promise<RecordedEvent[]>;
  /** When the last event of each of the channels was recorded. */
  readHeads(salesChannelIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Told why the heads could not be read. The next look comes all the same. */
  failed(error: unknown): void;
}

/** What follows the log of one channel. It counts as a stream until it ends. */
export interface Following {
  /**
   * The events after a time and all that come, in pages, until the signal is aborted or the feed ends.
   * @throws DomainError 'unavailable' when the database is lost
   */
  pages(afterMs: number, signal: AbortSignal): AsyncGenerator<RecordedEvent[]>;
  end(): void;
}

/**
 * Tells streams what is recorded (ADR 39). A stream reads the log from its own position, page by page, as every reader
 * does, so the rules of the log hold for it and a slow one holds one page. In between it waits until the log may have
 * changed: the consumer of this process says so after its commit, and one statement for all channels that are followed
 * finds what other replicas have recorded. Streams at the same position share one read.
 *
 * Without a database it would wait in silence, beside a replica that records. So all streams end when the database is
 * lost, and their clients connect again.
 */
export class Feed implements Part {
  readonly #options: FeedOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #reading = new Map<string, Promise<RecordedEvent[]>>();
  readonly #looking: Part;
  #streams = 0;
  #hasEnded = false;
  /** Aborts when the database is lost. There is another one for what comes after that. */
  #lost = new AbortController();
  #ignoreAvailability = (): void => undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#looking = createJob({ everyMs: LOOK_MS, work: () => this.#look(), failed: options.failed });
  }

  start(): Promise<void> {
    const { availability } = this.#options;
    this.#ignoreAvailability = availability.onChange(() => {
      if (!availability.isLost) return;
      this.#lost.abort(lost());
      this.#lost = new AbortController();
    });
    return this.#looking.start();
  }

  /** Ends all streams, so that nobody waits for them. */
  async stop(): Promise<void> {
    this.#hasEnded = true;
    this.#ignoreAvailability();
    this.changed([...this.#followed.keys()]);
    await this.#looking.stop();
  }

  /** To be called after the commit: the logs of these channels have grown. */
  changed(salesChannelIds: Iterable<string>): void {
    for (const salesChannelId of salesChannelIds) {
      const followed = this.#followed.get(salesChannelId);
      if (!followed) continue;
      followed.changes += 1;
      for (const wake of followed.waiting) wake();
      followed.waiting.clear();
    }
  }

  /** @throws DomainError 'unavailable' while the database is lost, and with a time to wait when there are too many */
  follow(salesChannelId: string): Following {
    if (this.#options.availability.isLost) throw lost();
    const followed = this.#followed.get(salesChannelId) ?? {
      streams: 0,
      changes: 0,
      last: undefined,
      waiting: new Set<() => void>(),
    };
    if (this.#hasEnded || this.#streams >= STREAMS_AT_MOST || followed.streams >= STREAMS_OF_CHANNEL_AT_MOST) {
      throw new DomainError('unavailable', 'Too many follow the events at once: try again when some have ended.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    this.#followed.set(salesChannelId, followed);
    followed.streams += 1;
    this.#streams += 1;
    const { signal: loss } = this.#lost;
    return {
      pages: (afterMs, signal) => this.#pages(salesChannelId, followed, afterMs, { signal, loss }),
      end: () => {
        followed.streams -= 1;
        this.#streams -= 1;
        if (followed.streams === 0) this.#followed.delete(salesChannelId);
      },
    };
  }

  async *#pages(
    salesChannelId: string,
    followed: Followed,
    afterMs: number,
    { signal, loss }: { readonly signal: AbortSignal; readonly loss: AbortSignal },
  ): AsyncGenerator<RecordedEvent[]> {
    let position = afterMs;
    const over = AbortSignal.any([signal, loss]);
    while (!this.#hasEnded && !over.aborted) {
      // Before the look: what is recorded while it lasts may be missing from it.
      const { changes } = followed;
      const events = await unlessAborted(this.#read(salesChannelId, position, changes), loss);
      const last = events.at(-1);
      if (last) {
        yield events;
        position = Date.parse(last.createdAt);
      }
      if (events.length < EVENTS_AT_ONCE && followed.changes === changes) await this.#change(followed, over);
    }
    loss.throwIfAborted();
  }

  /** Resolves when the log may have changed, or nobody waits for it any more. */
  #change({ waiting }: Followed, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      signal.removeEventListener('abort', wake);
      waiting.delete(wake);
      resolve();
    };
    waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    if (signal.aborted || this.#hasEnded) wake();
    return promise;
  }

  /** A read that began before the last change may have missed it: those who know of the change do not share it. */
  #read(salesChannelId: string, afterMs: number, changes: number): Promise<RecordedEvent[]> {
    const key = `${afterMs} ${changes} ${salesChannelId}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#options.read(salesChannelId, afterMs).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #look(): Promise<void> {
    if (this.#followed.size === 0) return;
    const heads = await this.#options.readHeads([...this.#followed.keys()]);
    for (const [salesChannelId, last] of heads) {
      const followed = this.#followed.get(salesChannelId);
      if (!followed || followed.last === last) continue;
      followed.last = last;
      this.changed([salesChannelId]);
    }
  }
}

const lost = (): DomainError =>
  new DomainError('unavailable', 'The event log cannot be read at the moment: connect again.', {
    retryAfterSeconds: RETRY_AFTER_LOSS_SECONDS,
  });
