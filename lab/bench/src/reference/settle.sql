-- The reference of `settle`, frozen: nothing else uses it, and it does not follow the product. A ledger of bundles with
-- the chain that keeps ranges disjoint, and one step: lock the bundle, shrink it, insert the buyer's bundle, the
-- transaction and its line. No triggers, outbox, lists or audit trail.
create table issuance (
  id uuid primary key,
  first_serial numeric(38, 0) not null,
  last_serial numeric(38, 0) not null
);

create table bundle (
  id bigint generated always as identity primary key,
  issuance_id uuid not null references issuance,
  previous_last numeric(38, 0),
  last numeric(38, 0),
  state text not null,
  owner_id text,
  sales_channel_id text,
  unique (issuance_id, last),
  unique (issuance_id, previous_last),
  foreign key (issuance_id, previous_last) references bundle (issuance_id, last) deferrable initially deferred,
  check (previous_last < last)
);

create table ledger_transaction (
  id text primary key,
  type text not null,
  status text not null,
  sales_channel_id text not null,
  seller_id text not null,
  buyer_id text not null,
  currency text not null,
  task_id text not null unique,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3) not null
);

create table transaction_line (
  transaction_id text not null references ledger_transaction,
  ordinal int not null,
  issuance_id uuid not null references issuance,
  first numeric(38, 0) not null,
  last numeric(38, 0) not null,
  unit_price numeric(16, 6) not null,
  source_bundle_id bigint not null,
  bundle_id bigint not null,
  primary key (transaction_id, ordinal),
  check (first <= last)
);

create function settle_step(n int) returns void language plpgsql as $$
declare
  issued uuid := md5(n::text)::uuid;
  source bundle%rowtype;
  transaction_id text := 'c' || replace(gen_random_uuid()::text, '-', '');
  bought bigint;
begin
  select * into source from bundle where issuance_id = issued and last = 1000000 for update;
  update bundle set previous_last = source.previous_last + 1 where id = source.id;
  insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
    values (issued, source.previous_last, source.previous_last + 1, 'LISTABLE', 'buyer', 'channel')
    returning id into bought;
  insert into ledger_transaction (
    id, type, status, sales_channel_id, seller_id, buyer_id, currency, task_id, created_at, completed_at
  ) values (
    transaction_id, 'TRADE', 'SUCCESS', 'channel', 'seller', 'buyer', 'EUR', transaction_id,
    clock_timestamp(), clock_timestamp()
  );
  insert into transaction_line (
    transaction_id, ordinal, issuance_id, first, last, unit_price, source_bundle_id, bundle_id
  ) values (
    transaction_id, 0, issued, source.previous_last + 1, source.previous_last + 1, 149.5, source.id, bought
  );
end $$;

-- In a fixed order, so that clients cannot deadlock.
create function settle_steps(issuances int, steps int) returns void language plpgsql as $$
declare
  chosen int;
begin
  for chosen in select 1 + floor(random() * issuances)::int as n from generate_series(1, steps) order by n loop
    perform settle_step(chosen);
  end loop;
end $$;

insert into issuance (id, first_serial, last_serial)
  select md5(n::text)::uuid, 1, 1000000 from generate_series(1, 4096) n;

insert into bundle (issuance_id, previous_last, last, state, owner_id, sales_channel_id)
  select md5(n::text)::uuid, null, 0, 'ROOT', null, null from generate_series(1, 4096) n
  union all
  select md5(n::text)::uuid, 0, 1000000, 'LISTABLE', 'seller', 'channel' from generate_series(1, 4096) n
  union all
  select md5(n::text)::uuid, 1000000, null, 'END', null, null from generate_series(1, 4096) n;

analyze;
