-- Public statements of retirements. The ledger's own rows never change, and who may see a statement does.
--
-- Each retirement gets its statement in the transaction that makes it, by a trigger: also from the release before,
-- which does not know of statements while it is rolled out. Nothing of the path of a trade changes.

-- 128 bits of a hash over 244 random ones, in the 22 characters of base64url (RFC 4648 section 5).
create function random_statement_id() returns text language sql volatile as $$
  select rtrim(translate(encode(
    substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16), 'base64'
  ), '+/', '-_'), '=')
$$;

create table retirement_statement (
  transaction_id text primary key references ledger_transaction,
  -- Nobody finds it by trying, and it says nothing of the transaction.
  id text not null unique default random_statement_id() check (id ~ '^[A-Za-z0-9_-]{22}$'),
  -- The salts of what may be hidden follow from it.
  secret bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    check (octet_length(secret) = 32),
  publication text not null default 'LINK' check (publication in ('LINK', 'PUBLIC')),
  beneficiary_hidden_until timestamptz(3),
  -- Null while the retirement waits for its approval, and for one that did not succeed: there is nothing to state.
  retired_at timestamptz(3)
);

create index statement_public on retirement_statement (retired_at, id)
  where publication = 'PUBLIC' and retired_at is not null;

create function guard_statement() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
    or (new.transaction_id, new.id, new.secret) is distinct from (old.transaction_id, old.id, old.secret)
    or (old.retired_at is not null and new.retired_at is distinct from old.retired_at)
  then
    raise exception 'a statement keeps its id and its retirement' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger statement_guard
  before update or delete on retirement_statement for each row execute function guard_statement();
create trigger statement_no_truncate
  before truncate on retirement_statement for each statement execute function refuse_change();

insert into retirement_statement (transaction_id, retired_at)
  select id, case status when 'SUCCESS' then completed_at end from ledger_transaction where type = 'RETIREMENT';

create function keep_statement() returns trigger language plpgsql as $$
begin
  insert into retirement_statement (transaction_id, retired_at)
    values (new.id, case new.status when 'SUCCESS' then new.completed_at end)
  on conflict (transaction_id) do update set retired_at = excluded.retired_at;
  return null;
end $$;

create trigger retirement_has_statement
  after insert or update of status on ledger_transaction
  for each row when (new.type = 'RETIREMENT') execute function keep_statement();

-- Who asked for a transaction. Null for those made before, and by the release before.
alter table ledger_transaction
  add column requested_by text check (requested_by <> ''),
  add column requested_with_key text check (requested_with_key <> '');

create or replace function guard_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.status <> 'PENDING'
    or (
      new.id, new.type, new.sales_channel_id, new.seller_id, new.buyer_id, new.account_holder_id, new.currency,
      new.retirement, new.task_id, new.created_at, new.requested_by, new.requested_with_key
    ) is distinct from (
      old.id, old.type, old.sales_channel_id, old.seller_id, old.buyer_id, old.account_holder_id, old.currency,
      old.retirement, old.task_id, old.created_at, old.requested_by, old.requested_with_key
    )
  then
    raise exception 'a transaction changes only from PENDING to its end'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
