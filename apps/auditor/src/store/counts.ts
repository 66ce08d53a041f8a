import type { DatabaseName } from '../domain/check.ts';
import type { DatabaseCheck } from './database-check.ts';

/** A counted list. `keys` selects a column `key` for each counted row. */
interface Counted {
  readonly database: DatabaseName;
  readonly list: string;
  readonly keys: string;
}

const inUse = "state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')";

const lists: readonly Counted[] = [
  {
    database: 'inventory',
    list: 'certificate',
    keys: `
      select counted.key from bundle join issuance on issuance.id = bundle.issuance_id
      left join issuance_expiry on issuance_expiry.issuance_id = issuance.id
      cross join lateral (values ('state/' || state), ('issuance/' || state || '/' || bundle.issuance_id),
        ('owner/' || state || '/' || owner_id), ('channel/' || state || '/' || bundle.sales_channel_id)) as counted(key)
      where ${inUse} and (issuance.expiration_date is null or issuance_expiry.issuance_id is not null)`,
  },
  {
    database: 'inventory',
    list: 'transaction',
    keys: `
      select counted.key from ledger_transaction cross join lateral (values ('kind/' || type || '/' || status),
        ('hour/' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
        ('holder/' || type || '/' || status || '/' || account_holder_id)) as counted(key)`,
  },
  { database: 'inventory', list: 'facility', keys: "select '' as key from production_facility" },
  {
    database: 'inventory',
    list: 'issuance',
    keys: `
      select concat_ws('/', facility.key, vintage.key, holder.key) as key from issuance
      cross join lateral (values (facility_id), ('*')) as facility(key)
      cross join lateral (values (issuance.vintage::text), ('*')) as vintage(key)
      cross join lateral (values (account_holder_id), ('*')) as holder(key)`,
  },
  {
    database: 'traders',
    list: 'proposal',
    keys: `
      select concat_ws('/', status.key, holder.key) as key from proposal
      cross join lateral (values (proposal.status), ('*')) as status(key)
      cross join lateral (values (account_holder_id), ('*')) as holder(key)`,
  },
];

const countCheck = ({ database, list, keys }: Counted): DatabaseCheck => ({
  name: `${database}-${list}-count`,
  about: 'The stored count of each key equals the number of its rows',
  isTransient: false,
  async run({ [database]: snapshot }, recorder) {
    if (!(await snapshot.hasTable('list_count'))) return;
    const rows = snapshot.rows<{ key: string; counted: string; actual: string }>(
      `with counted as (
        select key, sum(rows) as rows from (
          select key, rows from list_count where list = $1
          union all select key, delta from list_count_delta where list = $1
        ) as part group by key
      ), actual as (select key, count(*) as rows from (${keys}) as keyed where key is not null group by key)
      select key, coalesce(counted.rows, 0)::text as counted, coalesce(actual.rows, 0)::text as actual
      from counted full join actual using (key)`,
      [list],
    );
    for await (const row of rows) {
      recorder.countRows(1);
      if (row.counted !== row.actual) recorder.report(row.key, `count ${row.counted}, rows ${row.actual}`);
    }
  },
});

/** Stored totals of lists. */
export const countChecks: readonly DatabaseCheck[] = lists.map(countCheck);
