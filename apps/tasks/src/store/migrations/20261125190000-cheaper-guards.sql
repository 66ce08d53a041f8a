-- PostgreSQL parses the stored text of a WHEN and of a CHECK for each statement that runs into it, and compiles a
-- function once per session (ADR 80). The database refuses what it did, under the same codes. Tables are neither read
-- nor rewritten: the next migration validates what this one adds.

-- Which updates a task takes. Deletions have a trigger of their own.
create function guard_outcome() returns trigger language plpgsql as $$
begin
  if old.status <> 'PENDING' then
    raise exception 'a task that has ended stays as it is' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
drop trigger task_guard on task;
create trigger task_guard before update on task for each row execute function guard_outcome();

create or replace function note_exceptional_task() returns trigger language plpgsql as $$
begin
  -- One that waits for the ledger is found among those that wait.
  if old.transaction_id is null and new.transaction_id is null and new.status = 'PENDING' then return null; end if;
  delete from exceptional_task where id = new.id and sales_channel_id = new.sales_channel_id;
  if new.status <> 'SUCCESS' then
    insert into exceptional_task (id, sales_channel_id, operation, idempotency_key, trader_id, status, message,
      transaction_id, created_at, ended_at)
    values (new.id, new.sales_channel_id, new.operation, new.idempotency_key, new.trader_id, new.status, new.message,
      new.transaction_id, new.created_at, case when new.status <> 'PENDING' then new.updated_at end);
  end if;
  return null;
end $$;
-- A task that succeeds at once costs no call.
drop trigger task_exceptional on task;
create trigger task_exceptional after update on task for each row
  when (new.status <> 'SUCCESS' or old.transaction_id is not null)
  execute function note_exceptional_task();

-- Looks at its arguments alone, so that a restored dump is checked the same way.
create function fits_task(operation text, idempotency_key text, status text, ledger_sequence bigint)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return operation in ('TRADE', 'RETIREMENT', 'OFFRAMP')
    and status in ('PENDING', 'SUCCESS', 'FAILED', 'REJECTED')
    and idempotency_key ~ '^[A-Za-z0-9_-]{1,64}$'
    and (ledger_sequence >= 1) is not false;
end $$;
alter table task
  drop constraint task_status_check,
  drop constraint task_operation_check,
  drop constraint task_idempotency_key_check,
  drop constraint task_ledger_sequence_check,
  add constraint task_fits check (fits_task(operation, idempotency_key, status, ledger_sequence)) not valid;
