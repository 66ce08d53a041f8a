-- Lists go by index, whatever they are filtered by (ADR 21).

-- What is still in use, by owner, sales channel and state. The order is that of the serials, which splitting and
-- merging do not change.
drop index bundle_of_owner;
create index bundle_of_owner on bundle (owner_id, issuance_id, last)
  where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED');
create index bundle_of_channel on bundle (sales_channel_id, issuance_id, last)
  where state in ('LISTABLE', 'RESERVED');
create index bundle_by_state on bundle (state, issuance_id, last)
  where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED');

create index transaction_by_kind on ledger_transaction (type, status, created_at, id);
create index transaction_of_channel_by_kind on ledger_transaction (sales_channel_id, type, status, created_at, id);
create index transaction_of_holder on ledger_transaction (account_holder_id, type, status, created_at, id)
  where account_holder_id is not null;
create index transaction_of_seller on ledger_transaction (seller_id, created_at, id) where seller_id is not null;
create index transaction_of_buyer on ledger_transaction (buyer_id, created_at, id) where buyer_id is not null;

create index issuance_by_time on issuance (created_at, id);
create index issuance_of_facility on issuance (facility_id, created_at, id);
create index issuance_of_vintage on issuance (vintage, created_at, id);
create index issuance_of_holder on issuance (account_holder_id, created_at, id);

-- How many rows each list has, by what it may be filtered by. Whoever changes rows adds deltas in the same transaction,
-- in rows of their own, so nobody waits for anybody. A job adds them up. Counts and deltas together are exact in every
-- snapshot.
create table list_count (
  list text not null,
  key text collate "C" not null,
  rows bigint not null,
  primary key (list, key)
);
create index list_count_empty on list_count (list) where rows = 0;

create table list_count_delta (
  id bigint generated always as identity primary key,
  list text not null,
  key text collate "C" not null,
  delta bigint not null
);
create index list_count_delta_of_key on list_count_delta (list, key);

-- Issuances whose certificates will expire. They leave the counts, and this table, when they have.
create table issuance_expiry (
  issuance_id uuid primary key references issuance,
  expiration_date timestamptz not null
);
create index issuance_expiry_by_time on issuance_expiry (expiration_date);

create function count_issuances() returns trigger language plpgsql as $$
begin
  insert into issuance_expiry (issuance_id, expiration_date)
    select id, expiration_date from added where expiration_date is not null;
  insert into list_count_delta (list, key, delta)
    select 'issuance',
      concat_ws(
        '/', case grouping(facility_id) when 0 then facility_id else '*' end,
        case grouping(vintage) when 0 then vintage::text else '*' end,
        case grouping(account_holder_id) when 0 then account_holder_id else '*' end
      ),
      count(*)
    from added group by cube (facility_id, vintage, account_holder_id) having count(*) > 0;
  return null;
end $$;
create trigger issuance_counted after insert on issuance
  referencing new table as added for each statement execute function count_issuances();

create function count_facilities() returns trigger language plpgsql as $$
begin
  insert into list_count_delta (list, key, delta)
    select 'facility', '', count(*) from added having count(*) > 0;
  return null;
end $$;
create trigger production_facility_counted after insert on production_facility
  referencing new table as added for each statement execute function count_facilities();

create function count_transactions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_delta (list, key, delta)
      select 'transaction', counted.key, count(*)
      from added cross join lateral (
        values ('kind/' || type || '/' || status),
          ('hour/' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
          ('holder/' || type || '/' || status || '/' || account_holder_id)
      ) as counted(key)
      where counted.key is not null
      group by counted.key;
  else
    insert into list_count_delta (list, key, delta)
      select 'transaction', counted.key, sum(changed.delta)
      from (
        select type, status, account_holder_id, created_at, -1 as delta from removed
        union all select type, status, account_holder_id, created_at, 1 from added
      ) as changed cross join lateral (
        values ('kind/' || type || '/' || status),
          ('hour/' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
          ('holder/' || type || '/' || status || '/' || account_holder_id)
      ) as counted(key)
      where counted.key is not null
      group by counted.key having sum(changed.delta) <> 0;
  end if;
  return null;
end $$;
create trigger transaction_counted_new after insert on ledger_transaction
  referencing new table as added for each statement execute function count_transactions();
create trigger transaction_counted_change after update on ledger_transaction
  referencing old table as removed new table as added for each statement execute function count_transactions();

-- Adds deltas for bundles that are in use and not expired.
create function count_bundles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_delta (list, key, delta)
      select 'certificate', counted.key, count(*)
      from added join issuance on issuance.id = added.issuance_id
      cross join lateral (
        values ('state/' || added.state), ('issuance/' || added.state || '/' || added.issuance_id),
          ('owner/' || added.state || '/' || added.owner_id),
          ('channel/' || added.state || '/' || added.sales_channel_id)
      ) as counted(key)
      where added.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and counted.key is not null
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = added.issuance_id)
        )
      group by counted.key;
  else
    insert into list_count_delta (list, key, delta)
      select 'certificate', counted.key, sum(changed.delta)
      from (
        select issuance_id, state, owner_id, sales_channel_id, -1 as delta from removed
        union all select issuance_id, state, owner_id, sales_channel_id, 1 from added
      ) as changed join issuance on issuance.id = changed.issuance_id
      cross join lateral (
        values ('state/' || changed.state), ('issuance/' || changed.state || '/' || changed.issuance_id),
          ('owner/' || changed.state || '/' || changed.owner_id),
          ('channel/' || changed.state || '/' || changed.sales_channel_id)
      ) as counted(key)
      where changed.state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and counted.key is not null
        and (
          issuance.expiration_date is null
          or exists (select from issuance_expiry where issuance_expiry.issuance_id = changed.issuance_id)
        )
      group by counted.key having sum(changed.delta) <> 0;
  end if;
  return null;
end $$;
create trigger bundle_counted_new after insert on bundle
  referencing new table as added for each statement execute function count_bundles();
create trigger bundle_counted_change after update on bundle
  referencing old table as removed new table as added for each statement execute function count_bundles();

create function count_absorbed_bundles() returns trigger language plpgsql as $$
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
    group by counted.key;
  return null;
end $$;
create trigger bundle_counted_absorbed after delete on bundle
  referencing old table as removed for each statement execute function count_absorbed_bundles();

-- What there is already.
insert into issuance_expiry (issuance_id, expiration_date)
  select id, expiration_date from issuance where expiration_date is not null;
insert into list_count (list, key, rows)
  select 'issuance',
    concat_ws(
      '/', case grouping(facility_id) when 0 then facility_id else '*' end,
      case grouping(vintage) when 0 then vintage::text else '*' end,
      case grouping(account_holder_id) when 0 then account_holder_id else '*' end
    ),
    count(*)
  from issuance group by cube (facility_id, vintage, account_holder_id) having count(*) > 0;
insert into list_count (list, key, rows)
  select 'facility', '', count(*) from production_facility having count(*) > 0;
insert into list_count (list, key, rows)
  select 'transaction', counted.key, count(*)
  from ledger_transaction cross join lateral (
    values ('kind/' || type || '/' || status),
      ('hour/' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24') || '/' || type || '/' || status),
      ('holder/' || type || '/' || status || '/' || account_holder_id)
  ) as counted(key)
  where counted.key is not null
  group by counted.key;
insert into list_count (list, key, rows)
  select 'certificate', counted.key, count(*)
  from bundle cross join lateral (
    values ('state/' || state), ('issuance/' || state || '/' || issuance_id), ('owner/' || state || '/' || owner_id),
      ('channel/' || state || '/' || sales_channel_id)
  ) as counted(key)
  where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED') and counted.key is not null
  group by counted.key;
