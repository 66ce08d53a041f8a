import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import { json } from '../http/answer.ts';
import type { Handlers } from '../http/pipeline.ts';

const eventOf = ({
  id,
  eventType,
  createdAt,
  eventAt,
  transactionId,
  status,
}: ReplyOf<'events.ListEvents'>['events'][number]) => ({
  id,
  eventType,
  createdAt,
  eventAt,
  payload: { transactionId, status },
});

function requestOf(query: QueryOf<'listEvents'>): SentTo<'events.ListEvents'> {
  const { createdAt = {}, eventType = {} } = query.$filter ?? {};
  const filter = {
    ...(createdAt.gt === undefined ? {} : { createdAtGt: createdAt.gt }),
    ...(createdAt.gte === undefined ? {} : { createdAtGte: createdAt.gte }),
    ...(createdAt.lt === undefined ? {} : { createdAtLt: createdAt.lt }),
    ...(createdAt.lte === undefined ? {} : { createdAtLte: createdAt.lte }),
    ...(eventType.eq === undefined ? {} : { eventType: eventType.eq }),
  };
  return { filter, descending: query.$orderBy?.createdAt === 'desc', limit: query.$limit };
}

/** The event log of the sales channel. */
export const events = ({ events: service }: Clients): Pick<Handlers, 'listEvents'> => ({
  listEvents: async ({ query }, { call }) => {
    const { events: found } = await service.ListEvents(requestOf(query), call);
    return json(200, found.map(eventOf));
  },
});
