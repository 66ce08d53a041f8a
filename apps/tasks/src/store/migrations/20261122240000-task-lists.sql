-- Lists of the tasks of a sales channel (ADR 39), youngest or oldest first, of each type, and of one trader. Neither
-- index has a column that an outcome changes, so outcomes stay HOT updates (ADR 30). Whoever starts a transfer waits
-- while they are built. The release before runs on all of this.

create index task_listed on task (sales_channel_id, operation, created_at, id);
create index task_of_trader on task (trader_id, operation, created_at, id);
create index task_archive_listed on task_archive (sales_channel_id, operation, created_at, id);
create index task_archive_of_trader on task_archive (trader_id, operation, created_at, id);
create index task_before_listed on task_before (sales_channel_id, operation, created_at, id);
create index task_before_of_trader on task_before (trader_id, operation, created_at, id);

-- Tasks that wait for a seller's approval, and those that did not succeed: few among all, and what people look for. An
-- index by status would have to change with each outcome. So these are written once more, with what a list shows, and
-- whatever succeeds at once costs nothing.
create table exceptional_task (
  id text not null,
  sales_channel_id text not null,
  operation text not null,
  idempotency_key text not null,
  trader_id text not null,
  status text not null check (status in ('PENDING', 'FAILED', 'REJECTED')),
  message text not null,
  transaction_id text,
  created_at timestamptz not null,
  -- Null while it waits. As that of the archive, whose months may be dropped.
  ended_at timestamptz,
  primary key (id, sales_channel_id)
);
create index exceptional_task_listed on exceptional_task (sales_channel_id, status, operation, created_at, id);
create index exceptional_task_of_trader on exceptional_task (trader_id, status, operation, created_at, id);
create index exceptional_task_time on exceptional_task (ended_at);

create function note_exceptional_task() returns trigger language plpgsql as $$
begin
  delete from exceptional_task where id = new.id and sales_channel_id = new.sales_channel_id;
  if new.status <> 'SUCCESS' then
    insert into exceptional_task (id, sales_channel_id, operation, idempotency_key, trader_id, status, message,
      transaction_id, created_at, ended_at)
    values (new.id, new.sales_channel_id, new.operation, new.idempotency_key, new.trader_id, new.status, new.message,
      new.transaction_id, new.created_at, case when new.status <> 'PENDING' then new.updated_at end);
  end if;
  return null;
end $$;
-- By a trigger, so that the release before does it too while both run. A task that waits for the ledger is found among
-- those that wait.
create trigger task_exceptional after update on task for each row
  when (
    old.transaction_id is not null or new.status in ('FAILED', 'REJECTED')
    or new.status = 'PENDING' and new.transaction_id is not null
  )
  execute function note_exceptional_task();

insert into exceptional_task (id, sales_channel_id, operation, idempotency_key, trader_id, status, message,
  transaction_id, created_at, ended_at)
select id, sales_channel_id, operation, idempotency_key, trader_id, status, message, transaction_id, created_at,
  case when status <> 'PENDING' then updated_at end
from task where status in ('FAILED', 'REJECTED') or status = 'PENDING' and transaction_id is not null
union all
select id, sales_channel_id, operation, idempotency_key, trader_id, status, message, transaction_id, created_at,
  updated_at
from task_before where status in ('FAILED', 'REJECTED')
union all
select id, sales_channel_id, operation, idempotency_key, trader_id, status, message, transaction_id, created_at,
  ended_at
from task_archive where status in ('FAILED', 'REJECTED');
