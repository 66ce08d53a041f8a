-- The outbox. Copy it into a migration of each service that sends events. See outbox.ts.
create table outbox (
  id bigint generated always as identity primary key,
  type text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Messages that the broker refused for good, out of the way of the others. The service fails the transfers that they
-- announced, where it can, and sets `handled_at`. The relay deletes handled rows after 90 days.
create table outbox_refused (
  id bigint primary key,
  type text not null,
  body text not null,
  reason text not null,
  created_at timestamptz not null,
  refused_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz
);
