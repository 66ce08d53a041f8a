import { expect } from '@jest/globals';
import type { TestLedger } from './support.ts';

/** What must be true of a ledger at any time, whatever was done to it. */
const rules: Record<string, string> = {
  'a chain begins with its ROOT, ends with its END, and has no gap or overlap between': `
    select issuance_id, last from (
      select issuance_id, previous_last, last, state, lag(last) over chain as before, lag(state) over chain as state_before, lead(state) over chain as state_after
      from bundle window chain as (partition by issuance_id order by last nulls last)
    ) b
    where previous_last is distinct from before or (state_before is null) <> (state = 'ROOT') or (state_after is null) <> (state = 'END')`,
  'the bundles of an issuance hold as many certificates as were issued': `
    select i.id from issuance i left join bundle b on b.issuance_id = i.id
    group by i.id having coalesce(sum(b.last - b.previous_last), 0) <> i.last_serial - i.first_serial + 1`,
  'no bundle is empty or negative': 'select id from bundle where last <= previous_last',
  'what is not reserved is held by whom its last successful transaction gave it to': `
    select b.id from bundle b cross join lateral unnest(array[b.previous_last + 1, b.last]) as serial
    cross join lateral (
      select t.type, t.seller_id, t.buyer_id, t.account_holder_id from transaction_line l join ledger_transaction t on t.id = l.transaction_id
      where l.issuance_id = b.issuance_id and l.first <= serial and serial <= l.last and t.status = 'SUCCESS' order by t.number desc limit 1
    ) t
    where b.state in ('HELD', 'LISTABLE', 'RETIRED', 'OFFRAMPED', 'RESERVED') and b.owner_id is distinct from
      case t.type when 'RETIREMENT' then t.seller_id when 'OFFRAMP' then t.account_holder_id else t.buyer_id end`,
  'a reservation is that of exactly one pending transaction': `
    select b.id from bundle b where b.state = 'RESERVED' and 1 <> (
      select count(*) from transaction_line l join ledger_transaction t on t.id = l.transaction_id
      where t.status = 'PENDING' and t.seller_id = b.owner_id and l.issuance_id = b.issuance_id and l.first = b.previous_last + 1 and l.last = b.last)`,
  'what a pending transaction reserved is reserved': `
    select t.id from ledger_transaction t join transaction_line l on l.transaction_id = t.id
    left join bundle b on b.issuance_id = l.issuance_id and b.last = l.last and b.previous_last = l.first - 1 and b.state = 'RESERVED'
    where t.status = 'PENDING' and b.id is null`,
  'a task is either carried out or refused':
    'select task_id from ledger_transaction join transfer_refusal using (task_id)',
  'a transaction has lines':
    'select id from ledger_transaction t where not exists (select from transaction_line l where l.transaction_id = t.id)',
};

export async function audit(ledger: TestLedger): Promise<void> {
  for (const [rule, violations] of Object.entries(rules))
    expect({ rule, violations: await ledger.sql(violations) }).toEqual({ rule, violations: [] });
}
