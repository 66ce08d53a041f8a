-- The outbox, to be copied into a migration of each service that sends events. See outbox.ts.
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

-- Messages that the broker refuses for good, out of the way of the others. The service fails what they announced and
-- then sets `handled_at`, where it can.
create table outbox_refused (
  id bigint primary key,
  type text not null,
  body text not null,
  reason text not null,
  created_at timestamptz not null,
  refused_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz
);
