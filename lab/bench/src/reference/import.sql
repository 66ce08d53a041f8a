-- The reference of `import`, frozen. It uses nothing of the system, and nothing else uses it.

-- Content of an issuance, without a key.
create table record (
  id uuid, facility_id text, standard text, registry text, credit_type text, credit_type_id text, methodology_code text,
  vintage int, production_start timestamptz, production_end timestamptz, issuing_date timestamptz,
  expiration_date timestamptz, first_serial numeric(38), last_serial numeric(38), serial_width int,
  account_holder_id text, sales_channel_id text, trader_id text, created_at timestamptz, facility_code text,
  country_code text, gsrn text, supplier_id text
);

-- Rows of an issuance: itself, three links of its chain, a transaction with a line, and two events of the audit trail,
-- with keys, references and the indexes of lists. No triggers except those of references.
create table facility (
  id text primary key, code text not null, country_code text not null, unique (id, code, country_code)
);
create table issuance (
  like record,
  primary key (id),
  foreign key (facility_id, facility_code, country_code) references facility (id, code, country_code)
);
create index on issuance (created_at, id);
create index on issuance (facility_id, created_at, id);
create index on issuance (account_holder_id, created_at, id);
create index on issuance (vintage, created_at, id);
create table bundle (
  id bigint primary key, issuance_id uuid not null references issuance, previous_last numeric(38), last numeric(38),
  state text not null, owner_id text, sales_channel_id text,
  unique (issuance_id, last), unique (issuance_id, previous_last),
  foreign key (issuance_id, previous_last) references bundle (issuance_id, last) deferrable initially deferred
);
create index on bundle (owner_id, issuance_id, last) where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED');
create index on bundle (sales_channel_id, issuance_id, last) where state in ('LISTABLE', 'RESERVED');
create index on bundle (state, issuance_id, last) where state in ('HELD', 'LISTABLE', 'RESERVED', 'OFFRAMPED');
create table transaction (
  id text primary key, number bigint not null, type text not null, status text not null, sales_channel_id text,
  seller_id text, buyer_id text, account_holder_id text, task_id text unique, created_at timestamptz not null,
  completed_at timestamptz
);
create index on transaction (created_at, id);
create index on transaction (type, status, created_at, id);
create index on transaction (sales_channel_id, type, status, created_at, id);
create index on transaction (account_holder_id, type, status, created_at, id);
create table line (
  transaction_id text not null references transaction, ordinal int not null,
  issuance_id uuid not null references issuance,
  first numeric(38) not null, last numeric(38) not null, unit_price numeric(16, 6), bundle_id bigint not null,
  primary key (transaction_id, ordinal)
);
create index on line (bundle_id, first);
create table audit (
  scope text not null, sequence bigint not null, occurred_at timestamptz not null, event text not null,
  hash bytea not null, primary key (scope, sequence)
);
insert into facility values ('cmwrhfacility000000000001', 'BENCH1', 'FI');

