-- How often the ledger was told of the task, and why the transfer was withdrawn, if it was. Whether a withdrawn
-- transfer is carried out all the same is for the ledger to say.
alter table task
  add column announcements integer not null default 1 check (announcements > 0),
  add column withdrawal text;
-- What one channel has waiting for the ledger.
create index task_waiting_of_channel on task (sales_channel_id) where status = 'PENDING' and transaction_id is null;
