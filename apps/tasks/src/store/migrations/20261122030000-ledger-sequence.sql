-- The place of the change that ended the task in the ledger's order. Null where the ledger refused the transfer, only
-- told the outcome again, or is of the first release.
alter table task add column ledger_sequence bigint check (ledger_sequence >= 1);
create unique index task_of_sequence on task (sales_channel_id, ledger_sequence) where ledger_sequence is not null;

-- How far the tasks have come in the ledger's order.
create table ledger_progress (
  sales_channel_id text primary key,
  -- The sequences that were applied. Consecutive ones are one range, so the value is as long as there are gaps.
  applied int8multirange not null check (not isempty(applied) and lower(applied) >= 1)
);
