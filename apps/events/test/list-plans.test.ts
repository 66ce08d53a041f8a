import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { toNewEvent } from '../src/operations/append-events.ts';
import { findConflicts, findRecords, listEvents, type EventSelection } from '../src/store/events.ts';
import { schema } from '../src/store/schema.ts';
import { statusChange } from './support/events.ts';

/** Two alternating channels with 20,000 events each, a second apart. */
const fill = `
  insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
  select case n % 2 when 0 then 'large' else 'other' end, timestamptz '2026-01-01 00:00Z' + n * interval '1 second',
    'event-' || n, 'TRANSACTION_STATUS_CHANGE', now(), 'transaction-' || n, 'SUCCESS', n
  from generate_series(1, 40000) as n`;

const selection: EventSelection = {
  salesChannelId: 'large',
  createdAt: { fromMs: undefined, toMs: undefined },
  eventType: undefined,
  descending: false,
  limit: 0,
};

/** Events have no cursor: a reader continues from the time of its last event. */
const eventsFrom =
  (conditions: Partial<EventSelection>) =>
  async (em: EntityManager, { limit, after, offset = 0 }: PageRequest): Promise<ListPart<object>> => {
    const { descending, createdAt } = { ...selection, ...conditions };
    const bound = after === undefined ? {} : { [descending ? 'toMs' : 'fromMs']: Number(after) };
    const page = { ...selection, ...conditions, createdAt: { ...createdAt, ...bound }, limit: limit + offset };
    const events = await listEvents(em, page);
    const rows = events.slice(offset);
    const last = rows.at(-1);
    return { rows, next: last && String(Date.parse(last.createdAt)) };
  };

const eventType = 'TRANSACTION_STATUS_CHANGE';
const aDay = { fromMs: Date.parse('2026-01-01T02:00:00Z'), toMs: Date.parse('2026-01-01T09:00:00Z') };
const anInstant = { fromMs: aDay.toMs, toMs: aDay.toMs };

/** Ten events that the log has, and ten new ones. */
const placed = Array.from({ length: 20 }, (_, index) =>
  toNewEvent(
    statusChange(index % 2 === 0 ? 'large' : 'other', {
      transactionId: `transaction-${39_990 + index}`,
      sequence: String(39_990 + index),
    }),
  ),
);

planTests({
  schema,
  fill,
  lists: Object.fromEntries(
    [false, true].flatMap((descending) => {
      const order = descending ? 'newest first' : 'oldest first';
      return [
        [`all, ${order}`, eventsFrom({ descending })],
        [`of a type, ${order}`, eventsFrom({ descending, eventType })],
        [`of some hours, ${order}`, eventsFrom({ descending, createdAt: aDay })],
        [`of a type in some hours, ${order}`, eventsFrom({ descending, eventType, createdAt: aDay })],
        [`of an instant, ${order}`, eventsFrom({ descending, createdAt: anInstant })],
        [`of an unknown channel, ${order}`, eventsFrom({ descending, salesChannelId: 'none' })],
      ];
    }),
  ),
  others: {
    'an event by id': (em) => findRecords(em, 'event-39998'),
    'conflicts in two channels': (em) => findConflicts(em, placed),
  },
});
