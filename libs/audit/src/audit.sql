-- The audit trail. Copy it into a migration of each service that keeps one. See record.ts.
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
  -- Canonical JSON (RFC 8785), with the hash of the previous event.
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

-- The indexes on action and actor serve queries with exactly these expressions: see list.ts.
create index audit_event_of_action on audit_event (scope, split_part(event, '"', 4), sequence);
create index audit_event_of_actor on audit_event (
  scope,
  (case
    when split_part(event, '"', 8) = 'id' then split_part(event, '"', 10)
    when split_part(event, '"', 12) = 'id' then split_part(event, '"', 14)
  end),
  sequence
);
