-- Outside a transaction: acts are recorded meanwhile.
-- To read the audit trail by the name of an act and by the id of who acted. Members of canonical JSON are sorted, so
-- both come first. These expressions fail on no text, as a cast to jsonb could.
drop index concurrently if exists audit_event_of_action;
create index concurrently audit_event_of_action on audit_event (scope, split_part(event, '"', 4), sequence);
drop index concurrently if exists audit_event_of_actor;
create index concurrently audit_event_of_actor on audit_event (
  scope,
  (case
    when split_part(event, '"', 8) = 'id' then split_part(event, '"', 10)
    when split_part(event, '"', 12) = 'id' then split_part(event, '"', 14)
  end),
  sequence
);
