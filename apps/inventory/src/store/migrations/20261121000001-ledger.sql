create table supplier (
  id text primary key,
  name text not null unique check (length(name) between 1 and 200),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  created_at timestamptz not null default now()
);

create table production_facility (
  id text primary key,
  code text not null unique check (code ~ '^[A-Za-z0-9]{6}$'),
  gsrn text,
  name text not null check (length(name) between 1 and 200),
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  methodology_codes jsonb not null check (jsonb_typeof(methodology_codes) = 'array'),
  supplier_id text not null references supplier,
  crediting_start timestamptz,
  crediting_end timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((crediting_start is null) = (crediting_end is null) and crediting_start <= crediting_end)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create table issuance (
  id uuid primary key,
  facility_id text not null references production_facility,
  standard text not null,
  registry text not null,
  credit_type text not null,
  credit_type_id text not null,
  methodology_code text not null,
  vintage int not null check (vintage between 1900 and 2999),
  production_start timestamptz not null,
  production_end timestamptz not null,
  issuing_date timestamptz not null,
  expiration_date timestamptz,
  first_serial numeric(38, 0) not null,
  last_serial numeric(38, 0) not null,
  -- 0: natural numbers; otherwise serials are written with leading zeros to this width.
  serial_width int not null check (serial_width between 0 and 38),
  account_holder_id text not null,
  sales_channel_id text,
  trader_id text,
  created_at timestamptz not null default now(),
  check (production_start <= production_end),
  check (first_serial >= 0 and first_serial <= last_serial),
  check ((sales_channel_id is null) = (trader_id is null))
);

create trigger issuance_append_only
  before update or delete on issuance for each row execute function refuse_change();
create trigger issuance_no_truncate
  before truncate on issuance for each statement execute function refuse_change();

-- The bundles of an issuance form a chain from a ROOT row to an END row. Each names the last serial of its predecessor.
-- Unique and foreign keys on that, with one ROOT and one END where the issuance says, alone make the database refuse
-- overlaps, gaps, deletions in the middle and any change of the volume, at no more cost than plain unique indexes.
create table bundle (
  id bigint generated always as identity primary key,
  issuance_id uuid not null references issuance,
  previous_last numeric(38, 0),
  last numeric(38, 0),
  state text not null,
  owner_id text check (owner_id <> ''),
  sales_channel_id text,
  unique (issuance_id, last),
  unique (issuance_id, previous_last),
  foreign key (issuance_id, previous_last) references bundle (issuance_id, last) deferrable initially deferred,
  check (
    case state
      when 'ROOT' then previous_last is null and last is not null and owner_id is null
      when 'END' then previous_last is not null and last is null and owner_id is null
      else previous_last < last and previous_last is not null and last is not null and owner_id is not null
    end
  ),
  check (
    case state
      when 'ROOT' then sales_channel_id is null
      when 'END' then sales_channel_id is null
      when 'HELD' then sales_channel_id is null
      when 'OFFRAMPED' then sales_channel_id is null
      when 'LISTABLE' then sales_channel_id is not null
      when 'RESERVED' then sales_channel_id is not null
      when 'RETIRED' then sales_channel_id is not null
      else false
    end
  )
);

create unique index bundle_root on bundle (issuance_id) where state = 'ROOT';
create unique index bundle_end on bundle (issuance_id) where state = 'END';
alter table issuance add constraint issuance_has_bundles
  foreign key (id, last_serial) references bundle (issuance_id, last) deferrable initially deferred;
create index bundle_of_owner on bundle (owner_id, issuance_id, last)
  where state in ('LISTABLE', 'HELD', 'OFFRAMPED');

-- Both ends of a chain stand where the issuance says, and stay there.
create function guard_chain_ends() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' or not exists (
    select from issuance i where i.id = new.issuance_id
      and case new.state when 'ROOT' then new.last = i.first_serial - 1 else new.previous_last = i.last_serial end
  ) then
    raise exception 'the certificates of an issuance stay as many as they are'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger chain_ends_fit
  before insert on bundle for each row when (new.state in ('ROOT', 'END')) execute function guard_chain_ends();
create trigger chain_ends_stay
  before update on bundle for each row when (old.state in ('ROOT', 'END') or new.state in ('ROOT', 'END'))
  execute function guard_chain_ends();
create trigger chain_ends_last
  before delete on bundle for each row when (old.state in ('ROOT', 'END')) execute function guard_chain_ends();
create trigger bundle_no_truncate
  before truncate on bundle for each statement execute function refuse_change();

create table ledger_transaction (
  id text primary key,
  -- Order of the steps of one certificate: drawn while its bundle is locked, which clocks of several machines could not
  -- promise.
  number bigint generated always as identity,
  type text not null check (type in ('ISSUANCE', 'ONRAMP', 'TRADE', 'RETIREMENT', 'OFFRAMP')),
  status text not null check (status in ('PENDING', 'SUCCESS', 'REJECTED', 'FAILED')),
  sales_channel_id text,
  seller_id text,
  buyer_id text,
  -- The account holder that an offramp gives the certificates back to.
  account_holder_id text,
  currency text check (currency in ('EUR', 'USD')),
  retirement jsonb,
  reason text,
  -- The task that asked for it: the ledger carries out a task once.
  task_id text unique,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  check ((status = 'PENDING') = (completed_at is null)),
  check ((type = 'TRADE') = (seller_id is not null and buyer_id is not null) or type = 'ONRAMP'),
  check ((type in ('TRADE', 'RETIREMENT', 'OFFRAMP')) = (task_id is not null))
);

create index transaction_of_channel on ledger_transaction (sales_channel_id, created_at, id);
create index transaction_by_time on ledger_transaction (created_at, id);

create table transaction_line (
  transaction_id text not null references ledger_transaction,
  ordinal int not null,
  issuance_id uuid not null references issuance,
  first numeric(38, 0) not null,
  last numeric(38, 0) not null,
  unit_price numeric(16, 6) check (unit_price >= 0),
  -- Lineage: the bundle it was part of (none for an issuance), with the range that one had, and the bundle it became.
  source_bundle_id bigint,
  source_first numeric(38, 0),
  source_last numeric(38, 0),
  bundle_id bigint not null,
  primary key (transaction_id, ordinal),
  check (first <= last)
);

create index line_of_certificate on transaction_line (issuance_id, last);
create trigger transaction_line_append_only
  before update or delete on transaction_line for each row execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line for each statement execute function refuse_change();

-- Bundles that became one again when a reservation was undone.
create table bundle_merge (
  id bigint generated always as identity primary key,
  transaction_id text not null references ledger_transaction,
  absorbed_bundle_id bigint not null,
  into_bundle_id bigint not null,
  issuance_id uuid not null,
  first numeric(38, 0) not null,
  last numeric(38, 0) not null
);

create trigger bundle_merge_append_only
  before update or delete on bundle_merge for each row execute function refuse_change();
create trigger bundle_merge_no_truncate
  before truncate on bundle_merge for each statement execute function refuse_change();

-- Transfers that were refused. With task_id of transactions this is the inbox: a task is decided once.
create table transfer_refusal (
  task_id text primary key,
  reason text not null,
  refused_at timestamptz not null default now()
);

create trigger transfer_refusal_append_only
  before update or delete on transfer_refusal for each row execute function refuse_change();
create trigger transfer_refusal_no_truncate
  before truncate on transfer_refusal for each statement execute function refuse_change();

create function guard_transaction() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.status <> 'PENDING'
    or (
      new.id, new.type, new.sales_channel_id, new.seller_id, new.buyer_id, new.account_holder_id, new.currency,
      new.retirement, new.task_id, new.created_at
    ) is distinct from (
      old.id, old.type, old.sales_channel_id, old.seller_id, old.buyer_id, old.account_holder_id, old.currency,
      old.retirement, old.task_id, old.created_at
    )
  then
    raise exception 'a transaction changes only from PENDING to its end'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create trigger transaction_guard
  before update or delete on ledger_transaction for each row execute function guard_transaction();

create table outbox (
  id bigint generated always as identity primary key,
  type text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);

create function wake_outbox_relay() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;

create trigger outbox_wakes_relay after insert on outbox for each statement execute function wake_outbox_relay();
