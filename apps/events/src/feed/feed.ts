import type { Availability } from '@saleschannel/database';
import { DomainError } from '@saleschannel/errors';
import { createJob, unlessAborted, type Part } from '@saleschannel/runtime';
import type { RecordedEvent } from '../store/events.ts';

/** Interval of polling the heads of followed channels, for events that other replicas recorded. */
const POLL_MS = 250;
/** Page size of a stream. */
export const STREAM_PAGE_SIZE = 200;
/** Maximum streams per process and per sales channel. Further ones are refused with a time to retry. */
const MAX_STREAMS = 2_000;
const MAX_STREAMS_PER_CHANNEL = 100;
const RETRY_AFTER_SECONDS = 15;
/** Short, because another replica may be able to read the log. */
const RETRY_AFTER_LOSS_SECONDS = 1;

/** State of a followed sales channel. */
interface Followed {
  streams: number;
  /** Number of times that its log may have changed. */
  changes: number;
  /** Last known head of its log. */
  last: string | undefined;
  readonly waiting: Set<() => void>;
}

export interface FeedOptions {
  readonly availability: Pick<Availability, 'isLost' | 'onChange'>;
  /** Reads up to {@link STREAM_PAGE_SIZE} events of a channel recorded after a time, oldest first. */
  read(salesChannelId: string, afterMs: number): Promise<RecordedEvent[]>;
  /** Reads the time of the last event of each channel. */
  readHeads(salesChannelIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Receives the error of a poll. Polling continues. */
  onPollError(error: unknown): void;
}

/** A stream of the log of one channel. Counts against the limits until `end` is called. */
export interface FeedStream {
  /**
   * Yields the events after a time, and new ones as they are recorded, until the signal aborts or the feed ends.
   * @throws DomainError 'unavailable' when the database is lost
   */
  pages(afterMs: number, signal: AbortSignal): AsyncGenerator<RecordedEvent[]>;
  end(): void;
}

/**
 * Streams the log (ADR 39). A stream reads the log from its own position, page by page, like any reader, so it has the
 * same guarantees, and a slow stream holds one page in memory. Between reads it waits until the log may have changed:
 * the consumer of this process reports each commit, and one statement polls all followed channels for events that other
 * replicas recorded. Streams at the same position share one read.
 *
 * When the database is lost, all streams end instead of staying silent while another replica records. Their clients
 * connect again.
 */
export class Feed implements Part {
  readonly #options: FeedOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #reading = new Map<string, Promise<RecordedEvent[]>>();
  readonly #polling: Part;
  #streams = 0;
  #hasEnded = false;
  /** Aborts when the database is lost, and is then replaced. */
  #lost = new AbortController();
  #ignoreAvailability = (): void => undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#polling = createJob({ everyMs: POLL_MS, work: () => this.#poll(), onError: options.onPollError });
  }

  start(): Promise<void> {
    const { availability } = this.#options;
    this.#ignoreAvailability = availability.onChange(() => {
      if (!availability.isLost) return;
      this.#lost.abort(lost());
      this.#lost = new AbortController();
    });
    return this.#polling.start();
  }

  /** Ends all streams. */
  async stop(): Promise<void> {
    this.#hasEnded = true;
    this.#ignoreAvailability();
    this.wakeStreams([...this.#followed.keys()]);
    await this.#polling.stop();
  }

  /** Wakes the streams of these channels. Call it after the commit of their events. */
  wakeStreams(salesChannelIds: Iterable<string>): void {
    for (const salesChannelId of salesChannelIds) {
      const followed = this.#followed.get(salesChannelId);
      if (!followed) continue;
      followed.changes += 1;
      for (const wake of followed.waiting) wake();
      followed.waiting.clear();
    }
  }

  /** @throws DomainError 'unavailable' while the database is lost, or if there are too many streams */
  follow(salesChannelId: string): FeedStream {
    if (this.#options.availability.isLost) throw lost();
    const followed = this.#followed.get(salesChannelId) ?? {
      streams: 0,
      changes: 0,
      last: undefined,
      waiting: new Set<() => void>(),
    };
    if (this.#hasEnded || this.#streams >= MAX_STREAMS || followed.streams >= MAX_STREAMS_PER_CHANNEL) {
      throw new DomainError('unavailable', 'Too many event streams are open. Try again later.', {
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
      // Read before the events, which may lack those recorded meanwhile.
      const { changes } = followed;
      const events = await unlessAborted(this.#read(salesChannelId, position, changes), loss);
      const last = events.at(-1);
      if (last) {
        yield events;
        position = Date.parse(last.createdAt);
      }
      if (events.length < STREAM_PAGE_SIZE && followed.changes === changes) await this.#waitForChange(followed, over);
    }
    loss.throwIfAborted();
  }

  /** Resolves when the log may have changed, or the stream is over. */
  #waitForChange({ waiting }: Followed, signal: AbortSignal): Promise<void> {
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

  /** Shares a read between streams, but not one that began before the stream's last known change. */
  #read(salesChannelId: string, afterMs: number, changes: number): Promise<RecordedEvent[]> {
    const key = `${afterMs} ${changes} ${salesChannelId}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#options.read(salesChannelId, afterMs).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #poll(): Promise<void> {
    if (this.#followed.size === 0) return;
    const heads = await this.#options.readHeads([...this.#followed.keys()]);
    for (const [salesChannelId, last] of heads) {
      const followed = this.#followed.get(salesChannelId);
      if (!followed || followed.last === last) continue;
      followed.last = last;
      this.wakeStreams([salesChannelId]);
    }
  }
}

const lost = (): DomainError =>
  new DomainError('unavailable', 'The event log cannot be read at the moment. Connect again.', {
    retryAfterSeconds: RETRY_AFTER_LOSS_SECONDS,
  });
