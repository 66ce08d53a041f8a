create table app_user (
  id text primary key,
  issuer text not null check (length(issuer) between 1 and 500),
  subject text not null check (length(subject) between 1 and 255),
  account_holder_id text check (length(account_holder_id) between 1 and 100),
  created_at timestamptz(3) not null default clock_timestamp(),
  unique (issuer, subject)
);

-- Two tables, not one with a kind: no forgotten condition can take a key of one API for one of the other.
create table api_key (
  id text primary key,
  user_id text not null references app_user,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null check (expires_at > created_at)
);

create index api_key_of_user on api_key (user_id, created_at, id);

create table registry_key (
  id text primary key,
  account_holder_id text not null check (length(account_holder_id) between 1 and 100),
  -- Null for a key that an operator issued.
  created_by text references app_user,
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null check (expires_at > created_at),
  -- In UTC, so that no time zone of a session can shift a year.
  check (expires_at at time zone 'UTC' <= created_at at time zone 'UTC' + interval '2 years')
);

create index registry_key_of_account_holder on registry_key (account_holder_id, created_at, id);

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
