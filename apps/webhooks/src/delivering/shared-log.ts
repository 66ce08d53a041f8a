import { countCacheUse } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import type { LogEvent } from '../domain/delivery.ts';
import type { EventLog } from '../neighbours/event-log.ts';

const MAX_CHANNELS = 64;
const MAX_PAGES_PER_CHANNEL = 4;
/** Endpoints further behind read pages of their own. */
const PAGE_TTL_MS = 10_000;

/** Events that follow a position in one sales channel's log. Immutable: events are only appended behind them. */
interface Page {
  /** Exclusive. Undefined for the beginning of the log. */
  readonly after: string | undefined;
  readonly events: readonly LogEvent[];
  /** True if the log ended here when it was read. */
  readonly isLast: boolean;
}

/** Next events of a log. */
export interface NextEvents {
  /** Oldest first. */
  readonly events: readonly LogEvent[];
  readonly hasMore: boolean;
}

/** Shares pages of a log between the endpoints of a sales channel that follow it closely. */
export class SharedLog {
  readonly #log: Pick<EventLog, 'read'>;
  readonly #pages = new LRUCache<string, readonly Page[]>({ max: MAX_CHANNELS, ttl: PAGE_TTL_MS });
  readonly #reading = new Map<string, Promise<Page>>();
  readonly #use = countCacheUse('log-pages');

  constructor(log: Pick<EventLog, 'read'>) {
    this.#log = log;
  }

  /** @param after exclusive. Undefined for the beginning of the log */
  async follow(salesChannelId: string, after: string | undefined, limit: number): Promise<NextEvents> {
    const page =
      this.#use.count(this.#pages.get(salesChannelId)?.find((known) => isIn(known, after))) ??
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
    if (events.length > 0) this.#pages.set(salesChannelId, [page, ...known].slice(0, MAX_PAGES_PER_CHANNEL));
    return page;
  }
}

/** Reports whether the page has an event after the position, and all events from the position on. */
function isIn(page: Page, after: string | undefined): boolean {
  if (after === undefined || page.after === undefined) return after === page.after;
  const last = page.events.at(-1);
  return page.after <= after && last !== undefined && after < last.createdAt;
}
