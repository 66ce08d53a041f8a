-- How far a consumer has come in the ledger's order, to be copied into a migration of each service that applies changes
-- of status. See ledger-progress.ts.
create table ledger_progress (
  sales_channel_id text primary key,
  -- The sequences that were applied. Consecutive ones are one range, so the value is as long as there are gaps.
  applied int8multirange not null check (not isempty(applied) and lower(applied) >= 1)
);
