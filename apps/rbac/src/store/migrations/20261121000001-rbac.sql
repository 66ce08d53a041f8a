create table sales_channel (
  id text primary key,
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz(3) not null default clock_timestamp()
);

-- The primary key is the rule that a user is bound to one channel.
create table binding (
  user_id text primary key,
  sales_channel_id text not null references sales_channel,
  created_at timestamptz(3) not null default clock_timestamp()
);

create index binding_of_sales_channel on binding (sales_channel_id);

create table binding_role (
  user_id text not null references binding on delete cascade,
  role text not null check (role in (
    'TRADERONBOARDERPROPOSAL_VIEWER', 'TRADERONBOARDERPROPOSAL_ACCEPTER', 'TRADER_ADMINISTRATOR', 'TRADER_VIEWER',
    'ROLE_ADMINISTRATOR', 'ASSET_VIEWER', 'ASSET_OFFRAMPER', 'TRANSACTION_ADMINISTRATOR', 'PRODUCTIONFACILITY_VIEWER',
    'SUPPLIER_VIEWER', 'EVENT_VIEWER'
  )),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (user_id, role)
);

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
