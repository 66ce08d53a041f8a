-- What an inventory lists has a version, so that who has read it need not read it again unchanged (ADR 25). Each
-- statement that changes listable bundles adds to a sum of their owner, in the same transaction and in a row of its
-- own, as the totals of lists do. What is added is drawn: a sum that was lost with a database that took over, or with a
-- restore, does not come again with other bundles.
create function count_inventory_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_delta (list, key, delta)
      select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
      from added where state = 'LISTABLE' group by owner_id;
  elsif tg_op = 'UPDATE' then
    insert into list_count_delta (list, key, delta)
      select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
      from (
        select owner_id from removed where state = 'LISTABLE'
        union all select owner_id from added where state = 'LISTABLE'
      ) as changed group by owner_id;
  else
    insert into list_count_delta (list, key, delta)
      select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
      from removed where state = 'LISTABLE' group by owner_id;
  end if;
  return null;
end $$;
create trigger inventory_changes_by_insert after insert on bundle
  referencing new table as added for each statement execute function count_inventory_changes();
create trigger inventory_changes_by_update after update on bundle
  referencing old table as removed new table as added for each statement execute function count_inventory_changes();
create trigger inventory_changes_by_delete after delete on bundle
  referencing old table as removed for each statement execute function count_inventory_changes();

-- The latest expiry that has passed.
create index issuance_by_expiry on issuance (expiration_date) where expiration_date is not null;
