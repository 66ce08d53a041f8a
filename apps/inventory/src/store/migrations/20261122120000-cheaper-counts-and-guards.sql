-- What every trade passes through counts and guards the same as before, and costs less. Large tables are neither read
-- nor rewritten: the one key that is made anew is that of the deltas, which a job keeps few. Writers wait for the
-- moment of this migration.

-- Rows are put together before keys are written: most updates of bundles only shrink one, which changes no count, and
-- of a batch of transactions most are of one kind.
create or replace function count_bundles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_delta (list, key, delta)
      select 'certificate',
        case
          when grouping(added.issuance_id) = 0 then 'issuance/' || added.state || '/' || added.issuance_id
          when grouping(added.owner_id) = 0 then 'owner/' || added.state || '/' || added.owner_id
          when grouping(added.sales_channel_id) = 0 then 'channel/' || added.state || '/' || added.sales_channel_id
          else 'state/' || added.state
        end,
        count(*)
      from added join issuance on issuance.id = added.issuance_id
      where added.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = added.issuance_id)
        )
      group by added.state, grouping sets ((), (added.issuance_id), (added.owner_id), (added.sales_channel_id))
      having grouping(added.sales_channel_id) = 1 or added.sales_channel_id is not null;
  else
    insert into list_count_delta (list, key, delta)
      select 'certificate', counted.key, sum(moved.delta)
      from (
        select issuance_id, state, owner_id, sales_channel_id, sum(delta) as delta
        from (
          select issuance_id, state, owner_id, sales_channel_id, -1 as delta from removed
          union all select issuance_id, state, owner_id, sales_channel_id, 1 from added
        ) as changed
        where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')
        group by issuance_id, state, owner_id, sales_channel_id having sum(delta) <> 0
      ) as moved join issuance on issuance.id = moved.issuance_id
      cross join lateral (
        values ('state/' || moved.state), ('issuance/' || moved.state || '/' || moved.issuance_id),
          ('owner/' || moved.state || '/' || moved.owner_id),
          ('channel/' || moved.state || '/' || moved.sales_channel_id)
      ) as counted(key)
      where counted.key is not null
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = moved.issuance_id)
        )
      group by counted.key having sum(moved.delta) <> 0;
  end if;
  return null;
end $$;

create or replace function count_transactions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_delta (list, key, delta)
      select 'transaction', counted.key, sum(alike.rows)
      from (
        select type, status, account_holder_id, date_trunc('hour', created_at at time zone 'UTC') as hour,
          count(*) as rows
        from added group by type, status, account_holder_id, hour
      ) as alike cross join lateral (
        values ('kind/' || type || '/' || status),
          ('hour/' || to_char(hour, 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
          ('holder/' || type || '/' || status || '/' || account_holder_id)
      ) as counted(key)
      where counted.key is not null
      group by counted.key;
  else
    insert into list_count_delta (list, key, delta)
      select 'transaction', counted.key, sum(alike.delta)
      from (
        select type, status, account_holder_id, date_trunc('hour', created_at at time zone 'UTC') as hour,
          sum(delta) as delta
        from (
          select type, status, account_holder_id, created_at, -1 as delta from removed
          union all select type, status, account_holder_id, created_at, 1 from added
        ) as changed
        group by type, status, account_holder_id, hour having sum(delta) <> 0
      ) as alike cross join lateral (
        values ('kind/' || type || '/' || status),
          ('hour/' || to_char(hour, 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
          ('holder/' || type || '/' || status || '/' || account_holder_id)
      ) as counted(key)
      where counted.key is not null
      group by counted.key having sum(alike.delta) <> 0;
  end if;
  return null;
end $$;

-- A task that was refused is not carried out: asked once for all transactions of a statement, not once for each. The
-- question is a value for each row, never a join, so it goes by index whatever is planned.
create function guard_decisions() returns trigger language plpgsql as $$
declare
  refused text;
begin
  select task_id into refused from added
  where task_id is not null
    and (select true from transfer_refusal where transfer_refusal.task_id = added.task_id)
  limit 1;
  if found then
    raise exception 'task % was refused', refused using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
drop trigger ledger_transaction_decision on ledger_transaction;
create trigger ledger_transaction_decision after insert on ledger_transaction
  referencing new table as added for each statement execute function guard_decisions();

-- Adding up writes the same few rows again and again. An index that asks for their number made each a new entry in
-- every index. Room in the pages keeps it out of the indexes altogether. Whoever adds up deletes what came to nothing.
drop index list_count_empty;
alter table list_count set (fillfactor = 70);

-- One index of deltas for both: whoever looks for a key, and whoever adds all up.
drop index list_count_delta_of_key;
alter table list_count_delta drop constraint list_count_delta_pkey;
alter table list_count_delta add primary key (list, key, id);
