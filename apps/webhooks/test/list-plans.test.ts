import type { EntityManager, ListPart, PageRequest } from '@saleschannel/database';
import { planTests } from '@saleschannel/testing/plan-tests';
import { deleteEnded, listDeliveries } from '../src/store/deliveries.ts';
import { findDeliveriesOfEvents, findDue, findInOrder } from '../src/store/delivery-runs.ts';
import { claim, findAwake } from '../src/store/leases.ts';
import { findRecords } from '../src/store/look-up.ts';
import { schema } from '../src/store/schema.ts';

type List = (em: EntityManager, page: PageRequest) => Promise<ListPart<object>>;

const NOW = '2026-06-01T00:00:00.000Z';

/** 2,000 endpoints of 100 channels. One endpoint has 20,000 deliveries: 200 are pending and three failed. */
const fill = `
  insert into endpoint (id, sales_channel_id, url, event_types, is_ordered, status, created_at, created_by,
    lease_holder, lease_number, wake_at)
  select 'endpoint-' || n, 'channel-' || n % 100, 'https://hooks.example', '{}', false, 'ENABLED', now(), 'user',
    case when n % 2 = 0 then 'worker-' || n % 4 end, 1, case when n % 10 = 0 then timestamptz '${NOW}' end
  from generate_series(1, 2000) as n;
  insert into endpoint_secret (id, endpoint_id, created_at, sealed, sealed_under)
  select 'secret-' || n, 'endpoint-' || n, now(), 'x', 'k' from generate_series(1, 2000) as n;
  insert into delivery (id, endpoint_id, message_id, event_type, event_created_at, event_at, transaction_id,
    event_status, status, attempt_count, schedule_attempts, created_at, next_attempt_at, ended_at)
  select 'delivery-' || n, case n % 2 when 0 then 'endpoint-2' else 'endpoint-4' end, 'event-' || n, 'T',
    timestamptz '2026-01-01' + n * interval '1 second', now(), 't', 'SUCCESS', status, 1, 1,
    timestamptz '2026-01-01' + n * interval '1 second',
    case status when 'PENDING' then timestamptz '${NOW}' + (n - 39000) * interval '1 second' end,
    case status when 'PENDING' then null else timestamptz '2026-01-01' + n * interval '1 second' end
  from generate_series(1, 40000) as n
  cross join lateral (select case when n in (10, 20000, 30000) then 'FAILED' when n > 39600 then 'PENDING'
    else 'SUCCESS' end as status) as known;
`;

const ID = 'endpoint-2';
const anyTime = { fromMs: undefined, toMs: undefined };
const someTime = { fromMs: Date.parse('2026-01-01T02:00:00Z'), toMs: Date.parse('2026-01-01T09:00:00Z') };

planTests({
  schema,
  fill,
  lists: Object.fromEntries(
    [true, false].flatMap((ascending): [string, List][] => {
      const order = ascending ? 'oldest first' : 'newest first';
      return [
        [`deliveries, ${order}`, (em, page) => listDeliveries(em, ID, { createdAt: anyTime }, ascending, page)],
        [
          `deliveries of some hours, ${order}`,
          (em, page) => listDeliveries(em, ID, { createdAt: someTime }, ascending, page),
        ],
        ...(['PENDING', 'SUCCESS', 'FAILED'] as const).map((status): [string, List] => [
          `${status} deliveries, ${order}`,
          (em, page) => listDeliveries(em, ID, { status, createdAt: anyTime }, ascending, page),
        ]),
        [
          `deliveries of an event, ${order}`,
          (em, page) => listDeliveries(em, ID, { eventId: 'event-40000', createdAt: anyTime }, ascending, page),
        ],
      ];
    }),
  ),
  others: {
    'awake endpoints': (em) => findAwake(em, 'worker-0', NOW, 20),
    'free endpoints': (em) => claim(em, 'worker-9', 20),
    'due deliveries': (em) => findDue(em, ID, NOW, 20),
    'deliveries in order': (em) => findInOrder(em, ID, 20),
    'deliveries of events': (em) => findDeliveriesOfEvents(em, ID, ['event-2', 'event-40000', 'none']),
    'expired deliveries': (em) => deleteEnded(em, '2026-01-01T00:00:10Z', 20),
    'records with an id': (em) => findRecords(em, 'delivery-40000'),
  },
});
