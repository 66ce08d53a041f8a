-- What sales channels say of their own transfers (ADR 43). Apart from the tasks: whoever says nothing writes nothing
-- here, and no index of the tasks knows of it. The release before runs on this.

create table task_reference (
  sales_channel_id text not null,
  external_reference text not null check (char_length(external_reference) between 1 and 100),
  task_id text not null,
  -- A reference is used once, whatever became of the task, also when the month of its end is dropped.
  primary key (sales_channel_id, external_reference)
);
create unique index task_reference_of_task on task_reference (task_id, sales_channel_id);

create function guard_reference() returns trigger language plpgsql as $$
begin
  -- One that was taken for a task that did not come to be may go, in the transaction that took it.
  if tg_op = 'DELETE'
    and not exists (select from task where id = old.task_id and sales_channel_id = old.sales_channel_id)
    and old.xmin::text = (pg_current_xact_id()::xid)::text
  then
    return old;
  end if;
  raise exception 'a reference belongs to its task' using errcode = 'integrity_constraint_violation';
end $$;
create trigger task_reference_guard before update or delete on task_reference
  for each row execute function guard_reference();

-- By which tasks are found, in the order of their lists. What is told is with the transaction in the ledger.
create table task_metadata (
  sales_channel_id text not null,
  -- SHA-256 of name, '=' and value: an entry of an index has no room for the value itself.
  pair bytea not null check (octet_length(pair) = 32),
  operation text not null,
  -- Those of the task.
  created_at timestamptz not null,
  task_id text not null,
  primary key (sales_channel_id, pair, operation, created_at, task_id)
);
-- For what is left of tasks whose month was dropped.
create index task_metadata_time on task_metadata (created_at);
