-- Messages that the broker refuses for good, out of the way of the others.
create table outbox_refused (
  id bigint primary key,
  type text not null,
  body text not null,
  reason text not null,
  created_at timestamptz not null,
  refused_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz
);
