-- Where sales channels want their events to be sent.
create table endpoint (
  id text primary key,
  sales_channel_id text not null check (sales_channel_id <> ''),
  url text not null check (length(url) between 1 and 2048),
  description text check (length(description) between 1 and 200),
  -- Empty: all.
  event_types text[] not null check (cardinality(event_types) <= 100),
  is_ordered boolean not null,
  -- A deleted one is seen by nobody, and goes when its deliveries are gone.
  status text not null check (status in ('ENABLED', 'DISABLED', 'DELETED')),
  disabled_reason text check (disabled_reason in ('MANUAL', 'GONE', 'FAILING')),
  created_at timestamptz(3) not null,
  created_by text not null,
  -- The last event of the log that was taken up.
  position_at timestamptz(3),
  position_event_id text,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  failing_since timestamptz(3),
  replay_from timestamptz(3),
  replay_to timestamptz(3),
  replay_failed_only boolean,
  -- The last event of the log that the replay has taken up.
  replay_position_at timestamptz(3),
  -- When it is looked at without a new event: an attempt is due, or something was asked for.
  wake_at timestamptz(3),
  -- The replica that works it.
  lease_holder text,
  -- Counts up with each lease: whoever had an earlier one changes nothing any more.
  lease_number bigint not null default 0,
  check ((disabled_reason is null) = (status <> 'DISABLED')),
  check ((position_at is null) = (position_event_id is null)),
  check ((replay_from is null) = (replay_to is null) and (replay_from is null) = (replay_failed_only is null)),
  check (replay_from is not null or replay_position_at is null)
);

create index endpoint_of_sales_channel on endpoint (sales_channel_id, created_at, id) where status <> 'DELETED';
create index endpoint_unclaimed on endpoint (id) where lease_holder is null and status <> 'DELETED';
create index endpoint_by_lease_holder on endpoint (lease_holder);
create index endpoint_to_wake on endpoint (lease_holder, wake_at) where wake_at is not null;
create index endpoint_by_status on endpoint (status, disabled_reason);

-- What messages are signed with, sealed.
create table endpoint_secret (
  id text primary key,
  endpoint_id text not null references endpoint on delete cascade,
  created_at timestamptz(3) not null,
  -- Null: the newest one.
  expires_at timestamptz(3),
  sealed text not null check (length(sealed) between 1 and 1000),
  -- Names the key that it is sealed under.
  sealed_under text not null
);

create unique index endpoint_secret_newest on endpoint_secret (endpoint_id) where expires_at is null;
create index endpoint_secret_of_endpoint on endpoint_secret (endpoint_id, created_at);
create index endpoint_secret_by_key on endpoint_secret (sealed_under);
create index endpoint_secret_by_end on endpoint_secret (expires_at) where expires_at is not null;

-- Replicas that work. One whose time is over has died.
create table worker (
  id text primary key,
  until timestamptz(3) not null
);

-- One message to one endpoint, from its first attempt on.
create table delivery (
  id text primary key,
  endpoint_id text not null references endpoint,
  message_id text not null,
  -- The event as the log has it. Null for a test.
  event_type text,
  event_created_at timestamptz(3),
  event_at timestamptz(3),
  transaction_id text,
  event_status text,
  previous_event_id text,
  status text not null check (status in ('PENDING', 'SUCCESS', 'FAILED')),
  attempt_count int not null check (attempt_count >= 0),
  -- Attempts of the current schedule.
  schedule_attempts int not null check (schedule_attempts between 0 and attempt_count),
  created_at timestamptz(3) not null,
  -- Null for one that waits until its endpoint is enabled.
  next_attempt_at timestamptz(3),
  ended_at timestamptz(3),
  -- The last ones, oldest first. Nearly every delivery has one.
  attempts jsonb not null default '[]' check (jsonb_typeof(attempts) = 'array' and jsonb_array_length(attempts) <= 100),
  unique (endpoint_id, message_id),
  check (num_nulls(event_type, event_created_at, event_at, transaction_id, event_status) in (0, 5)),
  check ((status = 'PENDING') = (ended_at is null)),
  check (status = 'PENDING' or next_attempt_at is null)
);

create index delivery_of_endpoint on delivery (endpoint_id, created_at, id);
-- Nearly all succeed: those are found among all.
create index delivery_without_success on delivery (endpoint_id, status, created_at, id) where status <> 'SUCCESS';
create index delivery_due on delivery (endpoint_id, next_attempt_at) where status = 'PENDING';
-- Of an ordered endpoint: which one is next.
create index delivery_in_order on delivery (endpoint_id, event_created_at)
  where status = 'PENDING' and event_type is not null;
create index delivery_by_end on delivery (ended_at) where ended_at is not null;

-- The last link of each chain. Its row makes those who append to one chain wait for each other.
create table audit_head (
  scope text primary key check (scope <> ''),
  sequence bigint not null check (sequence > 0),
  occurred_at timestamptz(3) not null,
  hash bytea check (octet_length(hash) = 32)
);

create table audit_event (
  scope text not null references audit_head,
  sequence bigint not null check (sequence > 0),
  occurred_at timestamptz(3) not null,
  -- Canonical JSON (RFC 8785) that holds the hash of the event before it.
  event text not null,
  hash bytea not null check (hash = sha256(convert_to(event, 'UTF8'))),
  primary key (scope, sequence)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is only added to' using errcode = 'integrity_constraint_violation';
end $$;

create trigger audit_event_append_only
  before update or delete on audit_event for each row execute function refuse_audit_change();
create trigger audit_event_no_truncate
  before truncate on audit_event for each statement execute function refuse_audit_change();
