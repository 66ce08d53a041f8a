import type { EntityManager, ListPart, PageAsked } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { listAuditEvents } from '../src/list.ts';
import { schema } from './support/trail.ts';

/** Two chains of 20,000 events each, a second apart. */
const fill = `
  insert into audit_event (scope, sequence, occurred_at, event, hash)
  select scope, n, timestamptz '2026-01-01 00:00Z' + n * interval '1 second', '{}', sha256(convert_to('{}', 'UTF8'))
  from generate_series(1, 20000) as n, unnest(array['large', 'other']) as chain(scope);
  insert into audit_head (scope, sequence, occurred_at) values ('large', 20000, now()), ('other', 20000, now());
`;

/** A reader goes on from the sequence of the last event. */
const eventsOf =
  (scope: string, times: { from?: string; to?: string }) =>
  async (em: EntityManager, { limit, after = '0', offset = 0 }: PageAsked): Promise<ListPart<object>> => {
    const { events } = await listAuditEvents(em, scope, { ...times, afterSequence: after, limit: limit + offset });
    const rows = events.slice(offset);
    return { rows, next: rows.at(-1)?.sequence };
  };

const from = '2026-01-01T01:00:00Z';
const to = '2026-01-01T05:00:00Z';

planTests({
  schema,
  fill,
  lists: {
    'a whole chain': eventsOf('large', {}),
    'a chain from a time': eventsOf('large', { from }),
    'a chain up to a time': eventsOf('large', { to }),
    'a chain between two times': eventsOf('large', { from, to }),
    'a chain that is not there': eventsOf('none', { from, to }),
  },
});
