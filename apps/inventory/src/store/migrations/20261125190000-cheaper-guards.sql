-- PostgreSQL parses the stored text of a WHEN and of a CHECK for each statement that runs into it, 37 kB for one trade.
-- It compiles a function once per session. So conditions move into functions, and each statement on a table runs one
-- function where it ran three (ADR 80). The database refuses and counts what it did, under the same codes. Tables are
-- neither read nor rewritten: the next migration validates what this one adds.

-- Which changes a bundle may undergo.
create function guard_move() returns trigger language plpgsql as $$
begin
  if (
    new.id = old.id and new.issuance_id = old.issuance_id and new.last = old.last
    and case old.state
      -- Several transfers may be carried out at once: sold, and retired by the buyer.
      when 'LISTABLE' then
        case new.state
          when 'HELD' then false
          when 'ROOT' then false
          when 'END' then false
          when 'OFFRAMPED' then true
          else new.sales_channel_id = old.sales_channel_id
        end
      when 'RESERVED' then
        case new.state
          -- Sold, or undone: then it may grow over what became one with it.
          when 'LISTABLE' then new.sales_channel_id = old.sales_channel_id and new.previous_last <= old.previous_last
          when 'RETIRED' then
            new.sales_channel_id = old.sales_channel_id and new.owner_id = old.owner_id
            and new.previous_last = old.previous_last
          when 'OFFRAMPED' then new.previous_last = old.previous_last
          else false
        end
      when 'HELD' then
        (new.state = 'LISTABLE' or new.state = 'HELD' and new.owner_id = old.owner_id)
        and new.previous_last >= old.previous_last
      when 'OFFRAMPED' then
        (new.state = 'LISTABLE' or new.state = 'OFFRAMPED' and new.owner_id = old.owner_id)
        and new.previous_last >= old.previous_last
      -- RETIRED is for ever. ROOT and END stay.
      else false
    end
  ) then
    return new;
  end if;
  raise exception 'a bundle does not become that' using errcode = 'integrity_constraint_violation';
end $$;
drop trigger bundle_moves on bundle;
drop trigger chain_ends_stay on bundle;
create trigger bundle_moves before update on bundle for each row execute function guard_move();
drop function refuse_move();

-- It refuses ROOT and END too, so they need no trigger of their own.
drop trigger chain_ends_last on bundle;
drop trigger bundle_goes on bundle;
create trigger bundle_goes before delete on bundle for each row execute function guard_bundle_delete();
drop function guard_chain_ends();

-- Certificates outside every sales channel have none, whatever their state.
drop trigger bundle_enters_channel on bundle;
create or replace function guard_onramp() returns trigger language plpgsql as $$
begin
  if new.previous_last <> old.previous_last and exists (
    select from bundle
    where issuance_id = old.issuance_id and last > old.previous_last and last <= new.previous_last
      and state <> 'LISTABLE'
  ) then
    raise exception 'a part of what an account holder holds can only be listed'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger bundle_enters_channel
  after update on bundle deferrable initially deferred for each row
  when (old.sales_channel_id is null) execute function guard_onramp();

-- New bundles: guarded and counted. Parts that a transfer takes need neither guard: both are about whole issuances.
create function note_new_bundles() returns trigger language plpgsql as $$
declare
  are_issued boolean := exists (select from added where state in ('ROOT', 'END', 'HELD'));
begin
  if are_issued then
    if exists (
      select from added
      where added.state in ('ROOT', 'END') and (
        select case added.state
            when 'ROOT' then added.last = first_serial - 1 else added.previous_last = last_serial
          end
        from issuance where id = added.issuance_id
      ) is not true
    ) then
      raise exception 'the certificates of an issuance stay as many as they are'
        using errcode = 'integrity_constraint_violation';
    end if;
    if exists (
      select from added
      where added.state = 'HELD' and (
        select first_serial = added.previous_last + 1 and last_serial = added.last
          and account_holder_id = added.owner_id and trader_id is null
        from issuance where id = added.issuance_id
      ) is not true
    ) then
      raise exception 'only a whole new issuance is held' using errcode = 'integrity_constraint_violation';
    end if;
    -- A bundle that comes as a whole issuance is the first one of it, so nobody else has counted under the issuance's
    -- keys: its count is written as it stays, and not as a delta that a job adds up later.
    insert into list_count (list, key, rows)
      select 'certificate', 'issuance/' || added.state || '/' || added.issuance_id, 1
      from added join issuance on issuance.id = added.issuance_id
      where added.previous_last = issuance.first_serial - 1 and added.last = issuance.last_serial
        and added.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = added.issuance_id)
        )
      on conflict (list, key) do update set rows = list_count.rows + excluded.rows;
  end if;
  insert into list_count_delta (list, key, delta)
    select 'certificate',
      case
        when grouping(sliced_id) = 0 then 'issuance/' || state || '/' || sliced_id
        when grouping(owner_id) = 0 then 'owner/' || state || '/' || owner_id
        when grouping(sales_channel_id) = 0 then 'channel/' || state || '/' || sales_channel_id
        else 'state/' || state
      end,
      count(*)
    from (
      select added.state, added.owner_id, added.sales_channel_id,
        case
          when are_issued and added.previous_last = issuance.first_serial - 1 and added.last = issuance.last_serial
            then null
          else added.issuance_id
        end as sliced_id
      from added join issuance on issuance.id = added.issuance_id
      where added.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = added.issuance_id)
        )
    ) as counted
    group by state, grouping sets ((), (sliced_id), (owner_id), (sales_channel_id))
    having (grouping(sliced_id) = 1 or sliced_id is not null)
      and (grouping(sales_channel_id) = 1 or sales_channel_id is not null)
    union all
    select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
    from added where state = 'LISTABLE' group by owner_id;
  return null;
end $$;
drop trigger bundles_fit on bundle;
drop trigger bundle_counted_new on bundle;
drop trigger inventory_changes_by_insert on bundle;
create trigger bundles_fit after insert on bundle
  referencing new table as added for each statement execute function note_new_bundles();
drop function guard_new_bundles();

create or replace function count_bundles() returns trigger language plpgsql as $$
begin
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
    group by counted.key having sum(moved.delta) <> 0
    union all
    select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
    from (
      select owner_id from removed where state = 'LISTABLE'
      union all select owner_id from added where state = 'LISTABLE'
    ) as listed group by owner_id;
  return null;
end $$;
drop trigger inventory_changes_by_update on bundle;

create or replace function count_absorbed_bundles() returns trigger language plpgsql as $$
begin
  insert into list_count_delta (list, key, delta)
    select 'certificate', counted.key, -count(*)
    from removed join issuance on issuance.id = removed.issuance_id
    cross join lateral (
      values ('state/' || removed.state), ('issuance/' || removed.state || '/' || removed.issuance_id),
        ('owner/' || removed.state || '/' || removed.owner_id),
        ('channel/' || removed.state || '/' || removed.sales_channel_id)
    ) as counted(key)
    where removed.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and counted.key is not null
      and (
        issuance.expiration_date is null
        or exists (select from issuance_expiry where issuance_expiry.issuance_id = removed.issuance_id)
      )
    group by counted.key
    union all
    select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
    from removed where state = 'LISTABLE' group by owner_id;
  return null;
end $$;
drop trigger inventory_changes_by_delete on bundle;
drop function count_inventory_changes();

-- New transactions: a task that was refused is not carried out. The question is a value for each row, never a join, so
-- it goes by index whatever is planned.
create function note_new_transactions() returns trigger language plpgsql as $$
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
  return null;
end $$;
drop trigger transaction_counted_new on ledger_transaction;
drop trigger ledger_transaction_decision on ledger_transaction;
create trigger ledger_transaction_decision after insert on ledger_transaction
  referencing new table as added for each statement execute function note_new_transactions();
drop function guard_decisions();

create or replace function count_transactions() returns trigger language plpgsql as $$
begin
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
  return null;
end $$;

-- What a row must hold. Each function looks at its arguments alone, so that a restored dump is checked the same way.
create function fits_bundle(state text, previous_last numeric, last numeric, owner_id text, sales_channel_id text)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return case
    when state in ('LISTABLE', 'RESERVED', 'RETIRED') then
      num_nulls(owner_id, sales_channel_id) = 0 and coalesce(previous_last < last, false)
    when state in ('HELD', 'OFFRAMPED') then
      owner_id is not null and sales_channel_id is null and coalesce(previous_last < last, false)
    when state = 'ROOT' then num_nonnulls(previous_last, owner_id, sales_channel_id) = 0 and last is not null
    when state = 'END' then num_nonnulls(last, owner_id, sales_channel_id) = 0 and previous_last is not null
    else false
  end;
end $$;
alter table bundle
  drop constraint bundle_check,
  drop constraint bundle_check1,
  add constraint bundle_fits
    check (fits_bundle(state, previous_last, last, owner_id, sales_channel_id)) not valid;

create function fits_transaction(
  type text, status text, seller_id text, buyer_id text, currency text, task_id text, completed_at timestamptz,
  requested_by text, requested_with_key text
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return type in ('ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP')
    and status in ('PENDING', 'SUCCESS', 'REJECTED', 'FAILED')
    and (status = 'PENDING') = (completed_at is null)
    and ((type = 'TRADE') = (seller_id is not null and buyer_id is not null) or type = 'ONRAMP')
    and (type in ('TRADE', 'RETIREMENT', 'OFFRAMP')) = (task_id is not null)
    and (currency in ('EUR', 'USD')) is not false
    and (requested_by <> '') is not false and (requested_with_key <> '') is not false;
end $$;
alter table ledger_transaction
  drop constraint ledger_transaction_check,
  drop constraint ledger_transaction_check1,
  drop constraint ledger_transaction_check2,
  drop constraint ledger_transaction_currency_check,
  drop constraint ledger_transaction_requested_by_check,
  drop constraint ledger_transaction_requested_with_key_check,
  drop constraint ledger_transaction_status_check,
  drop constraint ledger_transaction_type_check,
  add constraint transaction_fits check (
    fits_transaction(
      type, status, seller_id, buyer_id, currency, task_id, completed_at, requested_by, requested_with_key
    )
  ) not valid;

create function fits_line(
  first numeric, last numeric, unit_price numeric, source_bundle_id bigint, source_first numeric, source_last numeric,
  before_bundle_id bigint
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return first <= last and (unit_price >= 0) is not false
    and (source_bundle_id is null) = (source_first is null) and (source_bundle_id is null) = (source_last is null)
    and (source_first <= first and last <= source_last) is not false
    and (before_bundle_id is not null) = coalesce(source_first < first, false);
end $$;
alter table transaction_line
  drop constraint transaction_line_check,
  drop constraint transaction_line_check1,
  drop constraint transaction_line_check2,
  drop constraint transaction_line_unit_price_check,
  drop constraint line_leaves_what_lay_before,
  add constraint line_fits check (
    fits_line(first, last, unit_price, source_bundle_id, source_first, source_last, before_bundle_id)
  ) not valid;
