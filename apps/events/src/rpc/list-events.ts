import { salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { bound, parameters, parse, rangeOf } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { EVENTS_PER_PAGE_AT_MOST, eventTypes } from '../domain/event.ts';
import { listEvents as list } from '../store/events.ts';

const filterSchema = z.object({
  createdAtGt: bound.optional(),
  createdAtGte: bound.optional(),
  createdAtLt: bound.optional(),
  createdAtLte: bound.optional(),
  eventType: z.enum(eventTypes).optional(),
});

const requestSchema = z.object({
  filter: filterSchema.nullable(),
  descending: z.boolean(),
  limit: z.int().min(1).max(EVENTS_PER_PAGE_AT_MOST),
});
const place = parameters({ filter: '$filter', limit: '$limit' });

export const listEvents: Rpc<'events.ListEvents', Context> =
  ({ database }) =>
  async (request, call) => {
    const salesChannelId = salesChannelOf(call);
    const { filter, ...page } = parse(requestSchema, request, 'The events cannot be listed this way.', place);
    const { createdAtGt: gt, createdAtGte: gte, createdAtLt: lt, createdAtLte: lte, eventType } = filter ?? {};
    const createdAt = rangeOf({ gt, gte, lt, lte });
    return { events: await list(database.em(), { salesChannelId, createdAt, eventType, ...page }) };
  };
