-- Whoever moves certificates has locked their issuance, so nobody waits for its counts: they are written where they
-- stay, and not as a delta that a job reads, deletes and adds up. That is one delta less per trade. Counts of a channel,
-- an owner or a state are shared, and stay deltas. Both tables together are exact as before, whatever release wrote.
create or replace function note_new_bundles() returns trigger language plpgsql as $$
begin
  if exists (select from added where state in ('ROOT', 'END', 'HELD')) then
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
  end if;
  with alike as materialized (
    select issuance_id, state, owner_id, sales_channel_id, count(*) as rows
    from added
    where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and (
      select issuance.expiration_date is null
        or exists (select from issuance_expiry where issuance_expiry.issuance_id = issuance.id)
      from issuance where issuance.id = added.issuance_id
    )
    group by issuance_id, state, owner_id, sales_channel_id
  ), of_issuances as (
    insert into list_count (list, key, rows)
      select 'certificate', 'issuance/' || state || '/' || issuance_id, sum(rows)
      from alike group by issuance_id, state
      on conflict (list, key) do update set rows = list_count.rows + excluded.rows
  )
  insert into list_count_delta (list, key, delta)
    select 'certificate',
      case
        when grouping(owner_id) = 0 then 'owner/' || state || '/' || owner_id
        when grouping(sales_channel_id) = 0 then 'channel/' || state || '/' || sales_channel_id
        else 'state/' || state
      end,
      sum(rows)
    from alike group by state, grouping sets ((), (owner_id), (sales_channel_id))
    having grouping(sales_channel_id) = 1 or sales_channel_id is not null
    union all
    select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
    from added where state = 'LISTABLE' group by owner_id;
  return null;
end $$;

create or replace function count_bundles() returns trigger language plpgsql as $$
begin
  with moved as materialized (
    select * from (
      select issuance_id, state, owner_id, sales_channel_id, sum(delta) as delta
      from (
        select issuance_id, state, owner_id, sales_channel_id, -1 as delta from removed
        union all select issuance_id, state, owner_id, sales_channel_id, 1 from added
      ) as changed
      where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED')
      group by issuance_id, state, owner_id, sales_channel_id having sum(delta) <> 0
    ) as alike
    where (
      select issuance.expiration_date is null
        or exists (select from issuance_expiry where issuance_expiry.issuance_id = issuance.id)
      from issuance where issuance.id = alike.issuance_id
    )
  ), of_issuances as (
    insert into list_count (list, key, rows)
      select 'certificate', 'issuance/' || state || '/' || issuance_id, sum(delta)
      from moved group by issuance_id, state having sum(delta) <> 0
      on conflict (list, key) do update set rows = list_count.rows + excluded.rows
  )
  insert into list_count_delta (list, key, delta)
    select 'certificate', counted.key, sum(moved.delta)
    from moved cross join lateral (
      values ('state/' || moved.state), ('owner/' || moved.state || '/' || moved.owner_id),
        ('channel/' || moved.state || '/' || moved.sales_channel_id)
    ) as counted(key)
    where counted.key is not null
    group by counted.key having sum(moved.delta) <> 0
    union all
    select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
    from (
      select owner_id from removed where state = 'LISTABLE'
      union all select owner_id from added where state = 'LISTABLE'
    ) as listed group by owner_id;
  return null;
end $$;

create or replace function count_absorbed_bundles() returns trigger language plpgsql as $$
begin
  with gone as materialized (
    select issuance_id, state, owner_id, sales_channel_id, count(*) as rows
    from removed
    where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and (
      select issuance.expiration_date is null
        or exists (select from issuance_expiry where issuance_expiry.issuance_id = issuance.id)
      from issuance where issuance.id = removed.issuance_id
    )
    group by issuance_id, state, owner_id, sales_channel_id
  ), of_issuances as (
    insert into list_count (list, key, rows)
      select 'certificate', 'issuance/' || state || '/' || issuance_id, -sum(rows)
      from gone group by issuance_id, state
      on conflict (list, key) do update set rows = list_count.rows + excluded.rows
  )
  insert into list_count_delta (list, key, delta)
    select 'certificate', counted.key, -sum(gone.rows)
    from gone cross join lateral (
      values ('state/' || gone.state), ('owner/' || gone.state || '/' || gone.owner_id),
        ('channel/' || gone.state || '/' || gone.sales_channel_id)
    ) as counted(key)
    where counted.key is not null
    group by counted.key
    union all
    select 'inventory', owner_id, 1 + floor(random() * 1000000000)::bigint
    from removed where state = 'LISTABLE' group by owner_id;
  return null;
end $$;
