import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { findEvents, listAuditEvents } from '../src/list.ts';
import { schema } from './support/trail.ts';

/** Two chains of 20,000 events each, a second apart. One event in 100 has a rare action, one in 97 a rare actor. */
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

interface Filter {
  readonly from?: string;
  readonly to?: string;
  readonly descending?: boolean;
  readonly action?: string;
  readonly actorId?: string;
}

/** Reads a page, from the sequence of the last event on. */
const listEvents =
  (scope: string, filter: Filter) =>
  async (em: EntityManager, { limit, after = '0', offset = 0 }: PageRequest): Promise<ListPart<object>> => {
    const position = filter.descending ? { afterSequence: '0', beforeSequence: after } : { afterSequence: after };
    const rows = (await findEvents(em, scope, { ...filter, ...position, limit: limit + offset })).slice(offset);
    return { rows, next: rows.at(-1)?.sequence };
  };

const page = (em: EntityManager, filter: Filter) =>
  listAuditEvents(em, 'large', { ...filter, afterSequence: '0', limit: 20 });

const [rareAction, usualAction] = ['rbac.role.granted', 'inventory.transaction.created'];

const from = '2026-01-01T01:00:00Z';
const to = '2026-01-01T05:00:00Z';

planTests({
  schema,
  fill,
  lists: {
    'a whole chain': listEvents('large', {}),
    'a chain from a time': listEvents('large', { from }),
    'a chain up to a time': listEvents('large', { to }),
    'a chain between two times': listEvents('large', { from, to }),
    'a missing chain': listEvents('none', { from, to }),
    'a whole chain, newest first': listEvents('large', { descending: true }),
    'a chain between two times, newest first': listEvents('large', { from, to, descending: true }),
    'a frequent action': listEvents('large', { action: usualAction }),
    'a rare action': listEvents('large', { action: rareAction }),
    'a rare action, newest first': listEvents('large', { action: rareAction, descending: true }),
    'a rare action between two times': listEvents('large', { action: rareAction, from, to }),
    'a missing action': listEvents('large', { action: 'rbac.user.bound' }),
    'a frequent actor': listEvents('large', { actorId: 'u1' }),
    'a rare actor': listEvents('large', { actorId: 'rare' }),
    'a rare actor, newest first': listEvents('large', { actorId: 'rare', descending: true }),
    'a frequent action by a rare actor, newest first': listEvents('large', {
      action: usualAction,
      actorId: 'rare',
      descending: true,
    }),
    'a missing actor': listEvents('large', { actorId: 'missing' }),
  },
  others: {
    'the total of a chain is a difference': (em) => page(em, {}),
    'the total of an action reads its events': (em) => page(em, { action: rareAction }),
    'the total of an actor reads its events': (em) => page(em, { actorId: 'rare' }),
  },
});
