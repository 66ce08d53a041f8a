import type { Filter__Output } from '@saleschannel/contracts/gen/events/v1/Filter';
import type { ListEventsRequest__Output } from '@saleschannel/contracts/gen/events/v1/ListEventsRequest';
import type { ListEventsResponse } from '@saleschannel/contracts/gen/events/v1/ListEventsResponse';
import { invalidRequest, type Violation } from '@saleschannel/errors';
import { salesChannelOf, type Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { eventTypes } from '../domain/event-types.ts';
import { parseMoment, rangeOf, type Bounds, type TimeRange } from '../domain/time-range.ts';
import { listEvents as readEvents } from '../store/events.ts';

const LIMIT_AT_MOST = 1_000;

const operators = {
  gt: 'createdAtGt',
  gte: 'createdAtGte',
  lt: 'createdAtLt',
  lte: 'createdAtLte',
} as const satisfies Record<string, keyof Filter__Output>;

export const listEvents =
  ({ database }: Context) =>
  async (request: ListEventsRequest__Output, call: Call): Promise<ListEventsResponse> => {
    const salesChannelId = salesChannelOf(call);
    const { createdAt, eventType } = readRequest(request);
    const { descending, limit } = request;
    return { events: await readEvents(database.em(), { salesChannelId, createdAt, eventType, descending, limit }) };
  };

/** @throws DomainError 'invalid-request' that names every fault */
function readRequest({ filter, limit }: ListEventsRequest__Output): {
  createdAt: TimeRange;
  eventType: string | undefined;
} {
  const violations: Violation[] = [];
  const bounds: Bounds = {};
  for (const operator of ['gt', 'gte', 'lt', 'lte'] as const) {
    const text = filter?.[operators[operator]];
    if (text === undefined) continue;
    const moment = parseMoment(text);
    if (moment) bounds[operator] = moment;
    else
      violations.push({
        parameter: '$filter',
        detail: `createdAt.${operator} must be an ISO 8601 date-time with an offset, like 2025-03-04T10:02:12.049Z`,
        code: 'format',
      });
  }
  const eventType = filter?.eventType;
  if (eventType !== undefined && !(eventTypes as readonly string[]).includes(eventType)) {
    violations.push({
      parameter: '$filter',
      detail: `eventType.eq must be one of ${eventTypes.join(', ')}`,
      code: 'enum',
    });
  }
  if (limit < 1) violations.push({ parameter: '$limit', detail: 'must be 1 or more', code: 'minimum' });
  if (limit > LIMIT_AT_MOST)
    violations.push({ parameter: '$limit', detail: `must be ${LIMIT_AT_MOST} or less`, code: 'maximum' });
  if (violations.length > 0) throw invalidRequest('The events cannot be listed this way.', violations);
  return { createdAt: rangeOf(bounds), eventType };
}
