import { expect } from '@jest/globals';
import { query, raw } from '@saleschannel/database';
import { openPlans, type TestService } from '@saleschannel/testing';
import { findHistory } from '../../src/store/certificates.ts';

/** Invariants of a ledger, with queries for their violations. */
const rules: Record<string, string> = {
  'a chain begins with its ROOT, ends with its END, and has no gap or overlap between': `
    select issuance_id, last from (
      select issuance_id, previous_last, last, state, lag(last) over chain as last_before,
        lag(state) over chain as state_before, lead(state) over chain as state_after
      from bundle window chain as (partition by issuance_id order by last nulls last)
    ) as link
    where previous_last is distinct from last_before or (state_before is null) <> (state = 'ROOT')
      or (state_after is null) <> (state = 'END')`,
  'the bundles of an issuance hold as many certificates as were issued': `
    select issuance.id from issuance left join bundle on bundle.issuance_id = issuance.id
    group by issuance.id
    having coalesce(sum(bundle.last - bundle.previous_last), 0) <> issuance.last_serial - issuance.first_serial + 1`,
  'no bundle is empty or negative': 'select id from bundle where last <= previous_last',
  'an unreserved bundle belongs to the recipient of its last successful transaction': `
    select bundle.id from bundle cross join lateral unnest(array[bundle.previous_last + 1, bundle.last]) as serial
    cross join lateral (
      select transaction.* from transaction_line as line
      join ledger_transaction as transaction on transaction.id = line.transaction_id
      where line.issuance_id = bundle.issuance_id and line.first <= serial and serial <= line.last
        and transaction.status = 'SUCCESS'
      order by transaction.number desc limit 1
    ) as transaction
    where bundle.state in ('HELD', 'LISTABLE', 'RETIRED', 'OFFRAMPED', 'RESERVED') and bundle.owner_id is distinct from
      case transaction.type
        when 'RETIREMENT' then transaction.seller_id
        when 'OFFRAMP' then transaction.account_holder_id
        else transaction.buyer_id
      end`,
  'a reserved bundle belongs to exactly one pending transaction': `
    select bundle.id from bundle where bundle.state = 'RESERVED' and 1 <> (
      select count(*) from transaction_line as line
      join ledger_transaction as transaction on transaction.id = line.transaction_id
      where transaction.status = 'PENDING' and transaction.seller_id = bundle.owner_id
        and line.issuance_id = bundle.issuance_id and line.first = bundle.previous_last + 1 and line.last = bundle.last
    )`,
  'every line of a pending transaction has a reserved bundle': `
    select transaction.id from ledger_transaction as transaction
    join transaction_line as line on line.transaction_id = transaction.id
    left join bundle on bundle.issuance_id = line.issuance_id and bundle.last = line.last
      and bundle.previous_last = line.first - 1 and bundle.state = 'RESERVED'
    where transaction.status = 'PENDING' and bundle.id is null`,
  'a task is either executed or refused':
    'select task_id from ledger_transaction join transfer_refusal using (task_id)',
  'every ended transfer has a status change, and no other transaction has one': `
    select transaction.id, change.transaction_id from ledger_transaction as transaction
    full join status_change as change on change.transaction_id = transaction.id
    where (transaction.task_id is not null and transaction.status <> 'PENDING') is distinct from
        (change.transaction_id is not null)
      or change.transaction_id is not null and (
        change.sales_channel_id, change.task_id, change.status, change.reason, change.effective_at
      ) is distinct from (
        transaction.sales_channel_id, transaction.task_id, transaction.status, transaction.reason,
        transaction.completed_at
      )`,
  'the changes of a channel are numbered from 1, without gaps': `
    select sales_channel_id from status_change full join channel_sequence using (sales_channel_id)
    group by sales_channel_id
    having min(sequence) is distinct from 1 or max(sequence) <> count(*) or max(sequence) is distinct from max(last)`,
  'the part before a selection became a bundle that ends there': `
    select line.transaction_id from transaction_line as line
    where line.before_bundle_id is not null
      and not exists (
        select from bundle
        where id = line.before_bundle_id and issuance_id = line.issuance_id and last = line.first - 1
      )
      and not exists (
        select from bundle_merge
        where absorbed_bundle_id = line.before_bundle_id and issuance_id = line.issuance_id and last = line.first - 1
      )`,
  'a transaction has lines': `
    select id from ledger_transaction as transaction
    where not exists (select from transaction_line as line where line.transaction_id = transaction.id)`,
  'stored counts of lists match their rows': `
    with counted as (
      select list, key, sum(rows) as rows from (
        select list, key, rows from list_count union all select list, key, delta from list_count_delta
      ) as part where list <> 'inventory' group by list, key having sum(rows) <> 0
    ), actual as (
      select 'certificate' as list, key.text as key, count(*) as rows
      from bundle join issuance on issuance.id = bundle.issuance_id cross join lateral (
        values ('state/' || state), ('issuance/' || state || '/' || issuance_id),
          ('owner/' || state || '/' || owner_id), ('channel/' || state || '/' || bundle.sales_channel_id)
      ) as key(text)
      where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and key.text is not null and (
        expiration_date is null or exists (select from issuance_expiry where issuance_id = issuance.id)
      )
      group by key.text
      union all
      select 'transaction', key.text, count(*) from ledger_transaction cross join lateral (
        values ('kind/' || type || '/' || status),
          ('hour/' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
          ('holder/' || type || '/' || status || '/' || account_holder_id)
      ) as key(text) where key.text is not null group by key.text
      union all select 'facility', '', count(*) from production_facility
      union all select 'issuance', '*/*/*', count(*) from issuance having count(*) > 0
    )
    select list, key, counted.rows as counted, actual.rows as actual from counted full join actual using (list, key)
    where counted.rows is distinct from actual.rows and (list <> 'issuance' or key = '*/*/*')`,
};

/** First and last certificates of bundles, with their histories from all lines of the ledger. */
const HISTORIES = `
  select bundle.issuance_id as "issuanceId", serial::text, (
    select array_agg(transaction.id order by transaction.number) from transaction_line as line
    join ledger_transaction as transaction on transaction.id = line.transaction_id
    where line.issuance_id = bundle.issuance_id and line.first <= serial and serial <= line.last
  ) as steps
  from bundle cross join lateral unnest(array[bundle.previous_last + 1, bundle.last]) as serial
  where bundle.owner_id is not null order by random() limit 100`;

export async function audit({ sql, databaseUrl }: TestService): Promise<void> {
  for (const [rule, violations] of Object.entries(rules))
    expect({ rule, violations: await sql(violations) }).toEqual({ rule, violations: [] });
  const { em, close } = await openPlans(databaseUrl);
  try {
    // Other transactions may be running.
    await query(em, raw('begin isolation level repeatable read'));
    for (const { issuanceId, serial, steps } of await query<History>(em, raw(HISTORIES))) {
      const found = await findHistory(em, issuanceId, serial);
      expect({ issuanceId, serial, steps: found.map(({ transactionId }) => transactionId) }).toEqual({
        issuanceId,
        serial,
        steps,
      });
    }
  } finally {
    await close();
  }
}

interface History {
  readonly issuanceId: string;
  readonly serial: string;
  readonly steps: string[];
}
