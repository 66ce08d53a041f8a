create domain entity_text as text not null check (char_length(value) between 1 and 200);

create domain entity_address as jsonb not null check (
  jsonb_typeof(value) = 'object' and value - '{zipCode,city,countryName,street,poBox}'::text[] = '{}'::jsonb
  and coalesce(jsonb_typeof(value -> 'zipCode'), 'string') = 'string'
  and char_length(coalesce(value ->> 'zipCode', '')) <= 500
  and coalesce(jsonb_typeof(value -> 'city'), 'string') = 'string'
  and char_length(coalesce(value ->> 'city', '')) <= 500
  and coalesce(jsonb_typeof(value -> 'countryName'), 'string') = 'string'
  and char_length(coalesce(value ->> 'countryName', '')) <= 500
  and coalesce(jsonb_typeof(value -> 'street'), 'string') = 'string'
  and char_length(coalesce(value ->> 'street', '')) <= 500
  and coalesce(jsonb_typeof(value -> 'poBox'), 'string') = 'string'
  and char_length(coalesce(value ->> 'poBox', '')) <= 500
);

create table trader (
  id text primary key,
  position bigint generated always as identity,
  sales_channel_id text not null check (sales_channel_id <> ''),
  account_holder_id text check (account_holder_id <> ''),
  business_id entity_text,
  name entity_text,
  address entity_address,
  created_at timestamptz not null default clock_timestamp(),
  constraint trader_in_channel unique (id, sales_channel_id),
  constraint trader_of_account_holder_once unique (sales_channel_id, account_holder_id),
  constraint trader_of_account_holder unique (id, sales_channel_id, account_holder_id)
);

create unique index trader_by_channel on trader (sales_channel_id, position);

create table proposal (
  id text primary key,
  position bigint generated always as identity,
  sales_channel_id text not null check (sales_channel_id <> ''),
  account_holder_id text not null check (account_holder_id <> ''),
  business_id entity_text,
  name entity_text,
  address entity_address,
  status text not null default 'PENDING' check (status in ('PENDING', 'ACCEPTED', 'REJECTED')),
  trader_id text,
  submitted_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  constraint proposal_once unique (account_holder_id, sales_channel_id),
  constraint proposal_trader_once unique (trader_id),
  constraint proposal_trader foreign key (trader_id, sales_channel_id, account_holder_id)
    references trader (id, sales_channel_id, account_holder_id),
  constraint proposal_trader_when_accepted check ((status = 'ACCEPTED') = (trader_id is not null)),
  constraint proposal_decided_at check ((status = 'PENDING') = (decided_at is null))
);

create unique index proposal_by_channel on proposal (sales_channel_id, position);

create table idempotency_record (
  sales_channel_id text not null,
  operation text not null check (operation in ('createTrader')),
  key text not null check (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  trader_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint idempotency_record_once primary key (sales_channel_id, operation, key),
  constraint idempotency_record_trader foreign key (trader_id, sales_channel_id)
    references trader (id, sales_channel_id)
);
