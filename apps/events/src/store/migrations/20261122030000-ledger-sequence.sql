-- The place of the change in the ledger's order. Events of the first release have none.
alter table event add column sequence bigint check (sequence >= 1);
create unique index event_of_sequence on event (sales_channel_id, sequence) where sequence is not null;

-- A change of status is recorded once, also when the ledger no longer knows under which id it told it first.
create unique index event_of_change on event (sales_channel_id, transaction_id, status);

-- How far the log has come in the ledger's order.
create table ledger_progress (
  sales_channel_id text primary key,
  -- The sequences that were applied. Consecutive ones are one range, so the value is as long as there are gaps.
  applied int8multirange not null check (not isempty(applied) and lower(applied) >= 1)
);
