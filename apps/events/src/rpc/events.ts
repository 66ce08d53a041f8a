import type { EntityManager } from '@saleschannel/database';
import { invalidRequest } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import {
  body,
  bound,
  id,
  idListToFind,
  idToFind,
  parameters,
  parse,
  toTimeRange,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import {
  MAX_EVENTS_PER_PAGE,
  eventTypes,
  findEvent,
  listEvents as list,
  findNewestEvent,
  findPreviousEventId,
  readHeads,
  type RecordedEvent,
} from '../store/events.ts';

const limit = z.int().min(1).max(MAX_EVENTS_PER_PAGE);

const listFilter = z.object({
  createdAtGt: bound.optional(),
  createdAtGte: bound.optional(),
  createdAtLt: bound.optional(),
  createdAtLte: bound.optional(),
  eventType: z.enum(eventTypes).optional(),
});
const listRequest = z.object({ filter: listFilter.nullable(), descending: z.boolean(), limit });
const listParameters = parameters({ filter: '$filter', limit: '$limit' });

export const listEvents: Rpc<'events.ListEvents', Context> =
  ({ database }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const { filter, ...page } = parse(listRequest, request, 'The events cannot be listed this way.', listParameters);
    const { createdAtGt: gt, createdAtGte: gte, createdAtLt: lt, createdAtLte: lte, eventType } = filter ?? {};
    const createdAt = toTimeRange({ gt, gte, lt, lte });
    return { events: await list(database.em(), { salesChannelId, createdAt, eventType, ...page }) };
  };

/** Position before the first event. */
const BEGINNING = '0';

/** An unknown event is refused, because a stream from any other position could skip events. */
const unknownEvent = () =>
  invalidRequest('The event does not exist.', [
    { parameter: 'Last-Event-ID', detail: 'is not the id of an event of the log', code: 'unknown-event' },
  ]);

export const streamEvents: Rpc<'events.StreamEvents', Context> = ({ reads, feed }) =>
  async function* ({ after }, call) {
    const salesChannelId = salesChannelOf(call);
    const following = feed.follow(salesChannelId);
    try {
      const isNamed = after !== undefined && after !== BEGINNING;
      if (isNamed && !id.safeParse(after).success) throw unknownEvent();
      const find = (em: EntityManager): Promise<RecordedEvent | undefined> =>
        isNamed ? findEvent(em, salesChannelId, after) : findNewestEvent(em, salesChannelId);
      const found = after === BEGINNING ? undefined : await reads.page(readerOf(call), find);
      if (isNamed && !found) throw unknownEvent();
      yield { after: found?.id ?? BEGINNING, events: [] };
      const pages = following.pages(found ? Date.parse(found.createdAt) : 0, call.signal);
      for await (const events of pages) yield { events };
    } finally {
      following.end();
    }
  };

const logRequest = z.object({ after: bound.optional(), before: bound.optional(), limit, withPrevious: z.boolean() });

export const readLog: Rpc<'eventLog.ReadLog', Context> =
  ({ reads }) =>
  async ({ salesChannelId: requestedId, ...request }, { caller }) => {
    const salesChannelId = idToFind(requestedId);
    const {
      after: gt,
      before: lt,
      withPrevious,
      ...page
    } = parse(logRequest, request, 'The log cannot be read this way.');
    const selection = {
      salesChannelId,
      createdAt: toTimeRange({ gt, lt }),
      eventType: undefined,
      descending: false,
      ...page,
    };
    return reads.page(caller, async (em) => {
      const events = await list(em, selection);
      const [first] = events;
      const previous = withPrevious && first && (await findPreviousEventId(em, salesChannelId, first.createdAt));
      return { events, ...(previous ? { previousEventId: previous } : {}) };
    });
  };

const headsRequest = z.object({ salesChannelIds: idListToFind });

export const getHeads: Rpc<'eventLog.GetHeads', Context> =
  ({ database }) =>
  async (request) => {
    const { salesChannelIds } = parse(headsRequest, request, 'The heads cannot be read this way.', body);
    const heads = await readHeads(database.em(), salesChannelIds);
    return { heads: [...heads].map(([salesChannelId, createdAt]) => ({ salesChannelId, createdAt })) };
  };
