import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { countUsers, listBindings } from '../src/store/bindings.ts';
import { countPendingInvitations, deleteInvitations, listInvitations } from '../src/store/invitations.ts';
import { listOpenSalesChannels } from '../src/store/sales-channels.ts';
import { schema } from '../src/store/schema.ts';

/**
 * 40,000 users, alternating between two channels, with some in a small one. There are 20,000 further channels, a third
 * of them suspended. Three users may see events: the first, one in the middle, and the last, who belongs to the small
 * channel.
 */
const fill = `
  insert into sales_channel (id, name) values ('large', 'Large'), ('other', 'Other'), ('small', 'Small');
  insert into sales_channel (id, name, suspended_at, suspended_reason)
  select 'channel-' || n, 'Channel ' || n % 1000, suspended_at, case when suspended_at is not null then 'by order' end
  from generate_series(1, 20000) as n
  cross join lateral (select case when n % 3 = 0 then now() end as suspended_at) as suspension;
  insert into binding (user_id, sales_channel_id)
  select 'user-' || lpad(n::text, 6, '0'),
    case when n % 200 = 0 then 'small' when n % 2 = 0 then 'large' else 'other' end
  from generate_series(1, 40000) as n;
  insert into binding_role (user_id, role)
  select 'user-' || lpad(n::text, 6, '0'), role
  from generate_series(1, 40000) as n,
    unnest(array['ASSET_VIEWER', 'TRADER_VIEWER', 'SUPPLIER_VIEWER']) as granted(role);
  insert into binding_role (user_id, role)
  values ('user-000002', 'EVENT_VIEWER'), ('user-020000', 'EVENT_VIEWER'), ('user-040000', 'EVENT_VIEWER');
  insert into invitation (id, sales_channel_id, token_hash, roles, created_by, created_at, expires_at)
  select 'invitation-' || n, case when n % 2000 = 0 then 'small' when n % 2 = 0 then 'large' else 'other' end,
    sha256(n::text::bytea), array['EVENT_VIEWER'], 'user-000001', now() - n * interval '1 minute', now()
  from generate_series(1, 40000) as n;
`;

type Filter = Parameters<typeof listBindings>[1];

/** Lists of operators continue from the id of the last user. */
const bindings =
  (filter: Omit<Filter, 'limit' | 'after'>) =>
  async (em: EntityManager, { limit, after, offset = 0 }: PageRequest): Promise<ListPart<object>> => {
    const rows = (await listBindings(em, { ...filter, after, limit: limit + offset })).slice(offset);
    return { rows, next: rows.at(-1)?.userId };
  };

planTests({
  schema,
  fill,
  lists: {
    'open sales channels': (em, page) => listOpenSalesChannels(em, page),
    'open sales channels by a part of their name': (em, page) => listOpenSalesChannels(em, page, 'nel 997'),
    'open sales channels by their id': (em, page) => listOpenSalesChannels(em, page, 'channel-19999'),
    'all bindings': bindings({}),
    'bindings of a channel': bindings({ salesChannelId: 'large' }),
    'bindings of a user': bindings({ userId: 'user-030000' }),
    'bindings with a common role': bindings({ role: 'ASSET_VIEWER' }),
    'bindings with a rare role': bindings({ role: 'EVENT_VIEWER' }),
    'bindings of a channel with a common role': bindings({ salesChannelId: 'large', role: 'ASSET_VIEWER' }),
    'bindings of a channel with a rare role': bindings({ salesChannelId: 'small', role: 'EVENT_VIEWER' }),
  },
  others: {
    'invitations of a channel': (em) => listInvitations(em, 'small'),
    'users of a small channel': (em) => countUsers(em, 'small'),
    'pending invitations of a channel': (em) => countPendingInvitations(em, 'small'),
    'expired invitations': (em) => deleteInvitations(em, 365, 20),
  },
});
