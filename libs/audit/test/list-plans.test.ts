import type { EntityManager, ListPart, PageAsked } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { findEvents, listAuditEvents } from '../src/list.ts';
import { schema } from './support/trail.ts';

/** Two chains of 20,000 events each, a second apart: one act of 100 is rare, and one of 97 by a rare actor. */
const fill = `
  insert into audit_event (scope, sequence, occurred_at, event, hash)
  select scope, n, timestamptz '2026-01-01 00:00Z' + n * interval '1 second', event, sha256(convert_to(event, 'UTF8'))
  from generate_series(1, 20000) as n, unnest(array['large', 'other']) as chain(scope), lateral (
    select format('{"action":"%s","actor":{"id":"%s","kind":"user"},"address":null}',
      case when n % 100 = 0 then 'rbac.role.granted' else 'inventory.transaction.created' end,
      case when n % 97 = 0 then 'rare' else 'u' || n % 7 end) as event
  ) as made;
  insert into audit_head (scope, sequence, occurred_at) values ('large', 20000, now()), ('other', 20000, now());
`;

interface Wanted {
  readonly from?: string;
  readonly to?: string;
  readonly descending?: boolean;
  readonly action?: string;
  readonly actorId?: string;
}

/** A reader goes on from the sequence of the last event. */
const eventsOf =
  (scope: string, wanted: Wanted) =>
  async (em: EntityManager, { limit, after = '0', offset = 0 }: PageAsked): Promise<ListPart<object>> => {
    const place = wanted.descending ? { afterSequence: '0', beforeSequence: after } : { afterSequence: after };
    const rows = (await findEvents(em, scope, { ...wanted, ...place, limit: limit + offset })).slice(offset);
    return { rows, next: rows.at(-1)?.sequence };
  };

const page = (em: EntityManager, wanted: Wanted) =>
  listAuditEvents(em, 'large', { ...wanted, afterSequence: '0', limit: 20 });

const [rareAction, usualAction] = ['rbac.role.granted', 'inventory.transaction.created'];

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
    'a whole chain, newest first': eventsOf('large', { descending: true }),
    'a chain between two times, newest first': eventsOf('large', { from, to, descending: true }),
    'acts of a usual name': eventsOf('large', { action: usualAction }),
    'acts of a rare name': eventsOf('large', { action: rareAction }),
    'acts of a rare name, newest first': eventsOf('large', { action: rareAction, descending: true }),
    'acts of a rare name between two times': eventsOf('large', { action: rareAction, from, to }),
    'acts of a name that is not there': eventsOf('large', { action: 'rbac.user.bound' }),
    'acts of a busy person': eventsOf('large', { actorId: 'u1' }),
    'acts of a person': eventsOf('large', { actorId: 'rare' }),
    'acts of a person, newest first': eventsOf('large', { actorId: 'rare', descending: true }),
    'acts of a usual name by a person, newest first': eventsOf('large', {
      action: usualAction,
      actorId: 'rare',
      descending: true,
    }),
    'acts of nobody': eventsOf('large', { actorId: 'nobody' }),
  },
  others: {
    'the total of a chain is a difference': (em) => page(em, {}),
    'the total of an act reads the events of that act': (em) => page(em, { action: rareAction }),
    'the total of a person reads the events of that person': (em) => page(em, { actorId: 'rare' }),
  },
});
