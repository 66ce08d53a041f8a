-- The outbox, to be copied into a migration of each service that sends events. See outbox.ts.
create table outbox (
  id bigint generated always as identity primary key,
  type text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Messages that the broker refuses for good, out of the way of the others. The service fails what they announced and
-- then sets `handled_at`, where it can. The relay removes those 90 days later.
create table outbox_refused (
  id bigint primary key,
  type text not null,
  body text not null,
  reason text not null,
  created_at timestamptz not null,
  refused_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz
);
