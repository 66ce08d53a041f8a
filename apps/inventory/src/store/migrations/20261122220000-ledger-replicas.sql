-- Which replicas share the ledger's partitions: each says every few seconds that it is there. Rows of those that are
-- gone are deleted by the others.
create table ledger_replica (
  id text primary key check (length(id) between 1 and 100),
  seen_at timestamptz not null
);
