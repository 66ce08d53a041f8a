create table task (
  id text primary key,
  sales_channel_id text not null,
  operation text not null check (operation in ('TRADE', 'RETIREMENT', 'OFFRAMP')),
  idempotency_key text not null check (idempotency_key ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- SHA-256 of the request: a key belongs to one request.
  fingerprint text not null,
  trader_id text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCESS', 'FAILED', 'REJECTED')),
  message text not null,
  transaction_id text,
  -- The transfer as it was announced to the ledger, to be announced again after a crash.
  request jsonb not null,
  announced_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (sales_channel_id, operation, idempotency_key)
) with (fillfactor = 80);
create index task_waiting on task (announced_at) where status = 'PENDING' and transaction_id is null;

create function guard_task() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.status <> 'PENDING' then
    raise exception 'a task that has ended stays as it is' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger task_guard before update or delete on task for each row execute function guard_task();

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
