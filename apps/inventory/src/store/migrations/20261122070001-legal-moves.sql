-- Which changes a bundle may undergo, stated by the database. What every trade passes through is a condition of a
-- trigger, so that no function runs for a change that is legal.

create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception 'a bundle does not become that' using errcode = 'integrity_constraint_violation';
end $$;

create trigger bundle_moves
  before update on bundle for each row
  when (
    (
      new.id = old.id and new.issuance_id = old.issuance_id and new.last = old.last
      and case old.state
        -- Several transfers may be carried out at once: sold, and retired by the buyer.
        when 'LISTABLE' then
          case new.state
            when 'HELD' then false
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
    ) is not true
  )
  execute function refuse_move();

-- A part that leaves an account holder enters a sales channel. What it has become is known when the transaction ends.
create function guard_onramp() returns trigger language plpgsql as $$
begin
  if exists (
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
  when (old.state in ('HELD', 'OFFRAMPED') and new.previous_last <> old.previous_last)
  execute function guard_onramp();

-- An account holder gets certificates when they are issued, or by an offramp.
create function guard_holding() returns trigger language plpgsql as $$
begin
  if not exists (
    select from issuance
    where id = new.issuance_id and first_serial = new.previous_last + 1 and last_serial = new.last
      and account_holder_id = new.owner_id and trader_id is null
  ) then
    raise exception 'only a whole new issuance is held' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger bundle_is_held
  before insert on bundle for each row when (new.state = 'HELD') execute function guard_holding();

-- A bundle goes when it became one with another, and only then.
create unique index merge_of_bundle on bundle_merge (absorbed_bundle_id);
create function guard_bundle_delete() returns trigger language plpgsql as $$
begin
  if old.state not in ('LISTABLE', 'RESERVED')
    or not exists (select from bundle_merge where absorbed_bundle_id = old.id)
  then
    raise exception 'a bundle goes only where it becomes one with another'
      using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
create trigger bundle_goes
  before delete on bundle for each row when (old.state not in ('ROOT', 'END')) execute function guard_bundle_delete();

-- Merges are written before the bundles that they are about. The first serial of one that took in others is theirs.
create function guard_merge() returns trigger language plpgsql as $$
begin
  if not exists (
    select from bundle as absorbed join bundle as "into" on "into".issuance_id = absorbed.issuance_id
    where absorbed.id = new.absorbed_bundle_id and "into".id = new.into_bundle_id
      and absorbed.issuance_id = new.issuance_id and absorbed.last = new.last
      and new.first <= absorbed.previous_last + 1 and absorbed.last < "into".last
      and absorbed.state in ('LISTABLE', 'RESERVED') and "into".state in ('LISTABLE', 'RESERVED')
      and absorbed.owner_id = "into".owner_id and absorbed.sales_channel_id = "into".sales_channel_id
  ) then
    raise exception 'only neighbours of one owner become one' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger merge_fits before insert on bundle_merge for each row execute function guard_merge();

-- An issuance begins as one bundle of whom it was issued to, between its ROOT and its END.
create function guard_new_issuance() returns trigger language plpgsql as $$
begin
  if 3 <> (
    select count(*) from bundle
    where issuance_id = new.id and (
      state = 'ROOT' or state = 'END'
      or previous_last = new.first_serial - 1 and last = new.last_serial
        and state = case when new.trader_id is null then 'HELD' else 'LISTABLE' end
        and owner_id = coalesce(new.trader_id, new.account_holder_id)
        and sales_channel_id is not distinct from new.sales_channel_id
    )
  ) then
    raise exception 'an issuance begins as one bundle between its ROOT and its END'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger issuance_is_whole
  after insert on issuance deferrable initially deferred for each row execute function guard_new_issuance();

-- The same of what there is.
do $$
begin
  if exists (
    select from issuance
    where not exists (select from bundle where issuance_id = issuance.id and state = 'ROOT')
      or not exists (select from bundle where issuance_id = issuance.id and state = 'END')
  ) then
    raise exception 'there is an issuance whose chain has no ROOT or no END';
  end if;
end $$;

-- A line tells of a bundle of its issuance, which ends where the line does. Its source began before it, and reached at
-- least as far.
alter table transaction_line add check (
  (source_bundle_id is null) = (source_first is null) and (source_bundle_id is null) = (source_last is null)
);
alter table transaction_line add check (source_first <= first and last <= source_last);
create function guard_lines() returns trigger language plpgsql as $$
begin
  if exists (
    select from added
    where not exists (
      select from bundle
      where bundle.id = added.bundle_id and bundle.issuance_id = added.issuance_id and bundle.last = added.last
    )
  ) then
    raise exception 'a line tells of a bundle that ends where the line does'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger lines_fit
  after insert on transaction_line referencing new table as added for each statement execute function guard_lines();
