import type { ReplyOf, SentTo } from '@saleschannel/grpc';
import type { Clients } from '../clients.ts';
import type { QueryOf } from '../contract/operations.ts';
import type { Handlers } from '../http/pipeline.ts';
import { toListPage, toNextLink, type CsvFile } from './lists.ts';

/** Form of an event in lists and streams. */
export const toEvent = ({
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

const eventFile: CsvFile<ReturnType<typeof toEvent>> = {
  name: 'events',
  columns: {
    id: ({ id }) => id,
    eventType: ({ eventType }) => eventType,
    createdAt: ({ createdAt }) => createdAt,
    eventAt: ({ eventAt }) => eventAt,
    'payload.transactionId': ({ payload }) => payload.transactionId,
    'payload.status': ({ payload }) => payload.status,
  },
};

/** Default page size, as in the contract. */
const EVENTS_PER_PAGE = 100;

function toRequest(query: QueryOf<'listEvents'>): SentTo<'events.ListEvents'> {
  const { createdAt = {}, eventType = {} } = query.$filter ?? {};
  const filter = {
    ...(createdAt.gt === undefined ? {} : { createdAtGt: createdAt.gt }),
    ...(createdAt.gte === undefined ? {} : { createdAtGte: createdAt.gte }),
    ...(createdAt.lt === undefined ? {} : { createdAtLt: createdAt.lt }),
    ...(createdAt.lte === undefined ? {} : { createdAtLte: createdAt.lte }),
    ...(eventType.eq === undefined ? {} : { eventType: eventType.eq }),
  };
  return { filter, descending: query.$orderBy?.createdAt === 'desc', limit: query.$limit ?? EVENTS_PER_PAGE };
}

/** Returns the change of the query for the next page. Times strictly increase, so it follows the last event. */
function nextPage(query: QueryOf<'listEvents'>, found: readonly { createdAt: string }[]) {
  const last = found.at(-1);
  if (!last || found.length < (query.$limit ?? EVENTS_PER_PAGE)) return undefined;
  const bound = query.$orderBy?.createdAt === 'desc' ? { lt: last.createdAt } : { gt: last.createdAt };
  const filter = { ...query.$filter, createdAt: { ...query.$filter?.createdAt, ...bound } };
  return (parameters: URLSearchParams): void => {
    const filterNames = Array.from(parameters.keys()).filter((name) => /^\$filter(\[|$)/.test(name));
    for (const name of filterNames) parameters.delete(name);
    parameters.set('$filter', JSON.stringify(filter));
  };
}

/** Lists the event log of the sales channel. */
export const createEventHandlers = ({ events: service }: Clients): Pick<Handlers, 'listEvents'> => ({
  listEvents: async ({ query }, context) => {
    const { events: found } = await service.ListEvents(toRequest(query), context.callOptions);
    return toListPage(context, found.map(toEvent), eventFile, toNextLink(context, nextPage(query, found)));
  },
});
