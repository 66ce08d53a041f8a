import type { Event__Output } from '@saleschannel/contracts/gen/events/v1/Event';
import type { Clients } from '../clients.ts';
import { json } from '../http/answer.ts';
import type { Handler } from '../http/pipeline.ts';

interface EventFilter {
  createdAt?: { gt?: string; gte?: string; lt?: string; lte?: string };
  eventType?: { eq?: string };
}

interface EventOrder {
  createdAt?: 'asc' | 'desc';
}

const eventOf = ({ id, eventType, createdAt, eventAt, transactionId, status }: Event__Output) => ({
  id,
  eventType,
  createdAt: createdAt || null,
  eventAt: eventAt || null,
  payload: { transactionId, status },
});

/** The event log of the sales channel. */
export const events = ({ events: service }: Clients) =>
  ({
    listEvents: async ({ call, query }) => {
      const { createdAt = {}, eventType = {} } = (query['$filter'] ?? {}) as EventFilter;
      const order = (query['$orderBy'] ?? {}) as EventOrder;
      const filter = present({
        createdAtGt: createdAt.gt,
        createdAtGte: createdAt.gte,
        createdAtLt: createdAt.lt,
        createdAtLte: createdAt.lte,
        eventType: eventType.eq,
      });
      const page = await service.ListEvents(
        { filter, descending: order.createdAt === 'desc', limit: query['$limit'] as number },
        call,
      );
      return json(200, page.events.map(eventOf));
    },
  }) satisfies Record<string, Handler>;

const present = (filter: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined));
