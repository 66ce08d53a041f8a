import type { ServiceClient } from '@saleschannel/grpc';
import type { LogEvent } from '../domain/delivery.ts';
import type { LogPosition } from '../domain/endpoint.ts';

/** A range of a log. Bounds are exclusive. */
interface LogRange {
  readonly after: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
  readonly withPrevious?: boolean;
}

/** The event logs of sales channels. */
export interface EventLog {
  /** Returns events oldest first, and with `withPrevious` the id of the event before the first. */
  read(
    salesChannelId: string,
    range: LogRange,
  ): Promise<{ events: readonly LogEvent[]; previousEventId: string | undefined }>;
  /** Returns the time of each channel's last event, in milliseconds. Channels without events are missing. */
  heads(salesChannelIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns a channel's last event, or one recorded a moment later. Null for an empty log. */
  end(salesChannelId: string): Promise<LogPosition | null>;
}

/** Channels per call. */
const MAX_CHANNELS = 10_000;

export function createEventLog(events: ServiceClient<'eventLog'>): EventLog {
  return {
    async read(salesChannelId, { after, before, limit, withPrevious = false }) {
      const bounds = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
      const page = await events.ReadLog({ salesChannelId, ...bounds, limit, withPrevious });
      return { events: page.events, previousEventId: page.previousEventId };
    },
    async heads(salesChannelIds) {
      const heads = new Map<string, number>();
      for (let from = 0; from < salesChannelIds.length; from += MAX_CHANNELS) {
        const some = salesChannelIds.slice(from, from + MAX_CHANNELS);
        for (const head of (await events.GetHeads({ salesChannelIds: some })).heads)
          heads.set(head.salesChannelId, Date.parse(head.createdAt));
      }
      return heads;
    },
    async end(salesChannelId) {
      const headMs = (await this.heads([salesChannelId])).get(salesChannelId);
      if (headMs === undefined) return null;
      const after = new Date(headMs - 1).toISOString();
      const [last] = (await this.read(salesChannelId, { after, limit: 1 })).events;
      if (!last) throw new Error('The event log does not contain its own end.');
      return { eventId: last.id, createdAt: last.createdAt };
    },
  };
}
