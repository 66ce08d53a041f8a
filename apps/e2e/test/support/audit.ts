import { expect } from '@jest/globals';
import type { System } from '../../src/system.ts';

/** Issuances whose certificates are not, each, in exactly one bundle of an unbroken chain. */
const brokenChains = `
  select i.id from issuance i join lateral (
    select count(*) filter (where b.state = 'ROOT') as roots, count(*) filter (where b.state = 'END') as ends,
      coalesce(sum(b.last - b.previous_last) filter (where b.state not in ('ROOT', 'END')), 0) as volume,
      bool_and(
        b.previous_last is null
        or exists (select from bundle p where p.issuance_id = b.issuance_id and p.last = b.previous_last)
      ) as linked,
      count(distinct b.previous_last) = count(b.previous_last) as unforked
    from bundle b where b.issuance_id = i.id
  ) c on true
  where c.roots <> 1 or c.ends <> 1 or not c.linked or not c.unforked
    or c.volume <> i.last_serial - i.first_serial + 1`;

/** Bundles whose owner and state are not what the last completed transaction of their first certificate says. */
const wrongOwners = `
  select b.issuance_id, b.last, b.state, b.owner_id, t.type, t.status from bundle b
  left join lateral (
    select t.* from transaction_line l join ledger_transaction t on t.id = l.transaction_id
    where l.issuance_id = b.issuance_id and b.previous_last + 1 between l.first and l.last
      and t.status in ('PENDING', 'SUCCESS')
    order by t.number desc limit 1
  ) t on true
  where b.state not in ('ROOT', 'END') and (b.state, b.owner_id) is distinct from (
    case
      when t.status = 'PENDING' then 'RESERVED'
      when t.type = 'RETIREMENT' then 'RETIRED'
      when t.type = 'OFFRAMP' then 'OFFRAMPED'
      when t.sales_channel_id is null then 'HELD'
      else 'LISTABLE'
    end,
    case
      when t.status = 'PENDING' or t.type = 'RETIREMENT' then t.seller_id
      when t.type = 'OFFRAMP' then t.account_holder_id
      when t.type = 'ISSUANCE'
        then coalesce((select i.trader_id from issuance i where i.id = b.issuance_id), t.buyer_id)
      else t.buyer_id
    end
  )`;

/**
 * After everything came to its end: no certificate is lost or doubled, and tasks, transactions and events agree with
 * each other.
 */
export async function auditSystem(system: System): Promise<void> {
  await system.drained();
  expect(await system.sql('inventory', brokenChains)).toEqual([]);
  expect(await system.sql('inventory', wrongOwners)).toEqual([]);
  const transactions = await system.sql<{ id: string; task_id: string; status: string }>(
    'inventory',
    'select id, task_id, status from ledger_transaction where task_id is not null order by id',
  );
  const tasks = await system.sql<{ id: string; task_id: string; status: string }>(
    'tasks',
    `select transaction_id as id, id as task_id, status from task
    where transaction_id is not null order by transaction_id`,
  );
  expect(tasks).toEqual(transactions);
  const events = await system.sql<{ id: string; status: string }>(
    'events',
    'select transaction_id as id, status from event order by transaction_id',
  );
  expect(events).toEqual(
    transactions.filter(({ status }) => status !== 'PENDING').map(({ id, status }) => ({ id, status })),
  );
}
