import type { EntityManager, ListPart, PageAsked } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { countUsers, listBindings } from '../src/store/bindings.ts';
import { countPendingInvitations, deleteInvitations, listInvitations } from '../src/store/invitations.ts';
import { openSalesChannels } from '../src/store/sales-channels.ts';
import { schema } from '../src/store/schema.ts';

/**
 * 40,000 users of two channels that take turns, and of a small one. There are 20,000 further channels, a third of them
 * suspended. Three may see events: the first, one in the middle
 * and the last, who is of the small one.
 */
const fill = `
  insert into sales_channel (id, name) values ('large', 'Large'), ('other', 'Other'), ('small', 'Small');
  insert into sales_channel (id, name, suspended_at, suspended_reason)
  select 'channel-' || n, 'Channel ' || n % 1000, suspended_at, case when suspended_at is not null then 'by order' end
  from generate_series(1, 20000) as n
  cross join lateral (select case when n % 3 = 0 then now() end as suspended_at) as said;
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

type Wanted = Parameters<typeof listBindings>[1];

/** An operator goes on from the id of the last user. */
const bindings =
  (wanted: Omit<Wanted, 'limit' | 'after'>) =>
  async (em: EntityManager, { limit, after, offset = 0 }: PageAsked): Promise<ListPart<object>> => {
    const rows = (await listBindings(em, { ...wanted, after, limit: limit + offset })).slice(offset);
    return { rows, next: rows.at(-1)?.userId };
  };

planTests({
  schema,
  fill,
  lists: {
    'sales channels that are open': (em, asked) => openSalesChannels(em, asked),
    'open sales channels by a part of their name': (em, asked) => openSalesChannels(em, asked, 'nel 997'),
    'open sales channels by their id': (em, asked) => openSalesChannels(em, asked, 'channel-19999'),
    all: bindings({}),
    'of a channel': bindings({ salesChannelId: 'large' }),
    'of a user': bindings({ userId: 'user-030000' }),
    'with a role that all have': bindings({ role: 'ASSET_VIEWER' }),
    'with a role that few have': bindings({ role: 'EVENT_VIEWER' }),
    'of a channel with a role that all have': bindings({ salesChannelId: 'large', role: 'ASSET_VIEWER' }),
    'of a channel with a role that few have': bindings({ salesChannelId: 'small', role: 'EVENT_VIEWER' }),
  },
  others: {
    'the invitations of a channel': (em) => listInvitations(em, 'small'),
    'the users of a small channel': (em) => countUsers(em, 'small'),
    'the open invitations of a channel': (em) => countPendingInvitations(em, 'small'),
    'invitations that ended long ago': (em) => deleteInvitations(em, 365, 20),
  },
});
