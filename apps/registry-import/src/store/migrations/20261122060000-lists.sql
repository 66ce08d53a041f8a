-- Lists go by index, whatever they are filtered by (ADR 21).
create index account_holder_by_name on account_holder ((lower(name) collate "C"), ordinal);

-- How many account holders and imports there are. Whoever adds rows adds deltas in the same transaction, in rows of
-- their own, so nobody waits for anybody. A job adds them up. Counts and deltas together are exact in every snapshot.
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

create function count_account_holders() returns trigger language plpgsql as $$
begin
  insert into list_count_delta (list, key, delta)
    select 'account-holder', '', count(*) from added having count(*) > 0;
  return null;
end $$;
create trigger account_holder_counted after insert on account_holder
  referencing new table as added for each statement execute function count_account_holders();

create function count_imports() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_count_delta (list, key, delta) select 'import', '', count(*) from added having count(*) > 0;
  else
    insert into list_count_delta (list, key, delta) select 'import', '', -count(*) from removed having count(*) > 0;
  end if;
  return null;
end $$;
create trigger import_counted after insert on import
  referencing new table as added for each statement execute function count_imports();
create trigger import_counted_gone after delete on import
  referencing old table as removed for each statement execute function count_imports();

insert into list_count (list, key, rows)
  select 'account-holder', '', count(*) from account_holder having count(*) > 0;
insert into list_count (list, key, rows)
  select 'import', '', count(*) from import having count(*) > 0;
