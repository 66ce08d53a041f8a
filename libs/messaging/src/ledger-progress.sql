-- Progress of a consumer in the ledger's order. Copy it into a migration of each service that applies status changes.
-- See ledger-progress.ts.
create table ledger_progress (
  sales_channel_id text primary key,
  -- Applied sequences. Consecutive ones form one range, so the value grows with the number of gaps.
  applied int8multirange not null check (not isempty(applied) and lower(applied) >= 1)
);
