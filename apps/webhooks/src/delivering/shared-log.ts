import { LRUCache } from 'lru-cache';
import { countCacheUse } from '@saleschannel/runtime';
import type { LogEvent } from '../domain/message.ts';
import type { EventLog } from '../neighbours/event-log.ts';

/** Sales channels whose last pages are remembered. */
const CHANNELS_AT_MOST = 64;
const PAGES_EACH = 4;
/** Whoever is further behind reads for itself. */
const REMEMBERED_MS = 10_000;

/** What follows a position in the log of one sales channel. It never changes: events are only added behind. */
interface Page {
  /** Exclusive. Undefined: from the beginning. */
  readonly after: string | undefined;
  readonly events: readonly LogEvent[];
  /** Whether the log ended here when it was read. */
  readonly isLast: boolean;
}

/** The next events of a log. */
export interface Following {
  /** Oldest first. */
  readonly events: readonly LogEvent[];
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** Reads logs once for all endpoints of a sales channel, which follow it close behind each other. */
export class SharedLog {
  readonly #log: Pick<EventLog, 'read'>;
  readonly #pages = new LRUCache<string, readonly Page[]>({ max: CHANNELS_AT_MOST, ttl: REMEMBERED_MS });
  readonly #reading = new Map<string, Promise<Page>>();
  readonly #use = countCacheUse('log-pages');

  constructor(log: Pick<EventLog, 'read'>) {
    this.#log = log;
  }

  /** @param after exclusive. Undefined: from the beginning */
  async follow(salesChannelId: string, after: string | undefined, limit: number): Promise<Following> {
    const page =
      this.#use.found(this.#pages.get(salesChannelId)?.find((known) => isIn(known, after))) ??
      (await this.#read(salesChannelId, after, limit));
    const first = after === undefined ? 0 : page.events.findIndex(({ createdAt }) => createdAt > after);
    const following = first === -1 ? [] : page.events.slice(first);
    const events = following.slice(0, limit);
    return { events, hasMore: !page.isLast || events.length < following.length };
  }

  #read(salesChannelId: string, after: string | undefined, limit: number): Promise<Page> {
    const key = JSON.stringify([salesChannelId, after, limit]);
    const reading =
      this.#reading.get(key) ?? this.#readPage(salesChannelId, after, limit).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #readPage(salesChannelId: string, after: string | undefined, limit: number): Promise<Page> {
    const { events } = await this.#log.read(salesChannelId, { after, limit });
    const page = { after, events, isLast: events.length < limit };
    const known = this.#pages.get(salesChannelId) ?? [];
    if (events.length > 0) this.#pages.set(salesChannelId, [page, ...known].slice(0, PAGES_EACH));
    return page;
  }
}

/** Whether the page has an event behind the position, and all from there on. */
function isIn(page: Page, after: string | undefined): boolean {
  if (after === undefined || page.after === undefined) return after === page.after;
  const last = page.events.at(-1);
  return page.after <= after && last !== undefined && after < last.createdAt;
}
