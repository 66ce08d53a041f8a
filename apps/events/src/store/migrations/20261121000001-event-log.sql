-- The last time that was given out in a channel. Whoever holds the row appends.
create table event_head (
  sales_channel_id text primary key,
  last_created_at timestamptz not null default 'epoch'
);

-- created_at is not timestamptz(3): that would round a finer time silently, and rounding up may pass the next event.
-- The check refuses it instead.
create table event (
  sales_channel_id text not null check (sales_channel_id <> ''),
  created_at timestamptz not null
    constraint event_created_at_in_milliseconds
      check (mod(extract(microseconds from created_at at time zone 'UTC'), 1000) = 0)
    constraint event_created_at_after_epoch check (created_at > 'epoch'),
  id text not null check (id <> ''),
  event_type text not null check (event_type in ('TRANSACTION_STATUS_CHANGE')),
  event_at timestamptz not null,
  transaction_id text not null check (transaction_id <> ''),
  status text not null check (status in ('PENDING', 'SUCCESS', 'REJECTED', 'FAILED')),
  constraint event_created_at_once primary key (sales_channel_id, created_at),
  constraint event_once unique (id)
);

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create trigger event_append_only before update or delete on event for each row execute function refuse_change();
create trigger event_no_truncate before truncate on event for each statement execute function refuse_change();
