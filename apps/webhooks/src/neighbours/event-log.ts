import type { ServiceClient } from '@saleschannel/grpc';
import type { LogPosition } from '../domain/endpoint.ts';
import type { LogEvent } from '../domain/message.ts';

/** What is asked of a log. Bounds are not included. */
interface PartAsked {
  readonly after: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
  readonly withPrevious?: boolean;
}

/** The event logs of sales channels. */
export interface EventLog {
  /** Oldest first, with the event before the first of them if it was asked for. */
  read(
    salesChannelId: string,
    asked: PartAsked,
  ): Promise<{ events: readonly LogEvent[]; previousEventId: string | undefined }>;
  /** When the last event of each of the channels was recorded, in milliseconds. Those without events are left out. */
  heads(salesChannelIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The last event of a channel, or one that came a moment later. Null before the first one. */
  end(salesChannelId: string): Promise<LogPosition | null>;
}

/** In one call. */
const CHANNELS_AT_MOST = 10_000;

export function eventLogOf(events: ServiceClient<'eventLog'>): EventLog {
  return {
    async read(salesChannelId, { after, before, limit, withPrevious = false }) {
      const bounds = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
      const part = await events.ReadLog({ salesChannelId, ...bounds, limit, withPrevious });
      return { events: part.events, previousEventId: part.previousEventId };
    },
    async heads(salesChannelIds) {
      const heads = new Map<string, number>();
      for (let from = 0; from < salesChannelIds.length; from += CHANNELS_AT_MOST) {
        const asked = salesChannelIds.slice(from, from + CHANNELS_AT_MOST);
        for (const head of (await events.GetHeads({ salesChannelIds: asked })).heads)
          heads.set(head.salesChannelId, Date.parse(head.createdAt));
      }
      return heads;
    },
    async end(salesChannelId) {
      const headMs = (await this.heads([salesChannelId])).get(salesChannelId);
      if (headMs === undefined) return null;
      const after = new Date(headMs - 1).toISOString();
      const [last] = (await this.read(salesChannelId, { after, limit: 1 })).events;
      if (!last) throw new Error('the end of an event log is not in it');
      return { eventId: last.id, createdAt: last.createdAt };
    },
  };
}
