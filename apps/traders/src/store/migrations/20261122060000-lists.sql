-- Lists go by index, whatever they are filtered by (ADR 21).
create index trader_by_name on trader (sales_channel_id, (lower(name) collate "C"), position);
create index trader_by_business_id on trader (sales_channel_id, business_id, position);
create index proposal_by_channel_and_status on proposal (sales_channel_id, status, position);
create unique index proposal_by_position on proposal (position);
create index proposal_by_status on proposal (status, position);
create index proposal_of_holder on proposal (account_holder_id, position);

-- How many proposals there are, by status and account holder. Whoever changes proposals adds deltas in the same
-- transaction, in rows of their own, so nobody waits for anybody. A job adds them up. Counts and deltas together are
-- exact in every snapshot.
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

create function count_new_proposals() returns trigger language plpgsql as $$
begin
  insert into list_count_delta (list, key, delta)
    select 'proposal',
      concat_ws(
        '/', case grouping(status) when 0 then status else '*' end,
        case grouping(account_holder_id) when 0 then account_holder_id else '*' end
      ),
      count(*)
    from added group by cube (status, account_holder_id) having count(*) > 0;
  return null;
end $$;
create trigger proposal_counted_new after insert on proposal
  referencing new table as added for each statement execute function count_new_proposals();

create function count_changed_proposals() returns trigger language plpgsql as $$
begin
  insert into list_count_delta (list, key, delta)
    select 'proposal',
      concat_ws(
        '/', case grouping(status) when 0 then status else '*' end,
        case grouping(account_holder_id) when 0 then account_holder_id else '*' end
      ),
      sum(delta)
    from (
      select status, account_holder_id, -1 as delta from removed
      union all select status, account_holder_id, 1 from added
    ) as changed
    group by cube (status, account_holder_id) having sum(delta) <> 0;
  return null;
end $$;
create trigger proposal_counted_change after update on proposal
  referencing old table as removed new table as added for each statement execute function count_changed_proposals();

insert into list_count (list, key, rows)
  select 'proposal',
    concat_ws(
      '/', case grouping(status) when 0 then status else '*' end,
      case grouping(account_holder_id) when 0 then account_holder_id else '*' end
    ),
    count(*)
  from proposal group by cube (status, account_holder_id) having count(*) > 0;
