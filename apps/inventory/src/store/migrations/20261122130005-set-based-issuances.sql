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
