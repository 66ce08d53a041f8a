import type { Rpc } from '@saleschannel/grpc';
import { bound, idToFind, parse, rangeOf } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { EVENTS_PER_PAGE_AT_MOST } from '../domain/event.ts';
import { listEvents, previousEventId } from '../store/events.ts';

const requestSchema = z.object({
  after: bound.optional(),
  before: bound.optional(),
  limit: z.int().min(1).max(EVENTS_PER_PAGE_AT_MOST),
  withPrevious: z.boolean(),
});

export const readLog: Rpc<'eventLog.ReadLog', Context> =
  ({ reads }) =>
  async ({ salesChannelId: wanted, ...request }, { caller }) => {
    const salesChannelId = idToFind(wanted);
    const title = 'The log cannot be read this way.';
    const { after: gt, before: lt, limit, withPrevious } = parse(requestSchema, request, title);
    const selection = {
      salesChannelId,
      createdAt: rangeOf({ gt, lt }),
      eventType: undefined,
      descending: false,
      limit,
    };
    return reads.page(caller, async (em) => {
      const events = await listEvents(em, selection);
      const [first] = events;
      const previous = withPrevious && first && (await previousEventId(em, salesChannelId, first.createdAt));
      return { events, ...(previous ? { previousEventId: previous } : {}) };
    });
  };
