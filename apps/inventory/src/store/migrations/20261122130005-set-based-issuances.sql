-- What is checked of each row of an issuance is checked of all rows of a statement at once, and once: with an import a
-- statement makes hundreds of issuances. What the database refuses stays the same. No table is read or rewritten.

-- A chain begins with the ROOT where its issuance says: the ROOT exists only with its issuance, issuances are never
-- deleted, and each other bundle names a predecessor with a smaller last serial. So a bundle of no issuance cannot be,
-- nor a line of one, which names its bundle.
alter table bundle drop constraint bundle_issuance_id_fkey;
alter table transaction_line drop constraint transaction_line_issuance_id_fkey;
-- The facility as it was when the certificates were issued is one with this id.
alter table issuance drop constraint issuance_facility_id_fkey;
drop index issuance_fixes_facility;
-- An issuance begins as a whole chain (issuance_is_whole), and the END, which stays, names the last serial of it.
alter table issuance drop constraint issuance_has_bundles;
-- The place of both ends is that of the issuance, and each place in a chain is taken once.
drop index bundle_root;
drop index bundle_end;

-- Both ends of a chain stand where the issuance says. An account holder gets certificates when they are issued, or by
-- an offramp. The question is a value for each row, never a join, so it goes by index whatever is planned.
create function guard_new_bundles() returns trigger language plpgsql as $$
begin
  if exists (
    select from added
    where added.state in ('ROOT', 'END') and (
      select case added.state when 'ROOT' then added.last = first_serial - 1 else added.previous_last = last_serial end
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
  return null;
end $$;
create trigger bundles_fit after insert on bundle
  referencing new table as added for each statement execute function guard_new_bundles();
drop trigger chain_ends_fit on bundle;
drop trigger bundle_is_held on bundle;
drop function guard_holding();

-- Counts the same as before. A bundle that comes as a whole issuance is the first one of it, so nobody else has counted
-- under the issuance's keys: its count is written as it stays, and not as a delta that a job adds up later.
create or replace function count_bundles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    with counted as (
      select added.state, added.issuance_id, added.owner_id, added.sales_channel_id,
        added.previous_last = issuance.first_serial - 1 and added.last = issuance.last_serial as is_whole
      from added join issuance on issuance.id = added.issuance_id
      where added.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = added.issuance_id)
        )
    ), whole as (
      insert into list_count (list, key, rows)
      select 'certificate', 'issuance/' || state || '/' || issuance_id, 1 from counted where is_whole
      on conflict (list, key) do update set rows = list_count.rows + excluded.rows
    )
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
        select state, case when not is_whole then issuance_id end as sliced_id, owner_id, sales_channel_id from counted
      ) as alike
      group by state, grouping sets ((), (sliced_id), (owner_id), (sales_channel_id))
      having (grouping(sliced_id) = 1 or sliced_id is not null)
        and (grouping(sales_channel_id) = 1 or sales_channel_id is not null);
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
