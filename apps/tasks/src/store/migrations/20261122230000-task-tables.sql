-- Tasks by sales channel, apart from what waits and from what ended long ago (ADR 30). Tasks of before that have ended
-- stay where they are, in task_before, from where a job brings them into the archive: carrying all of them over here
-- would stand in the way of trading for minutes. Only what is open moves now.
--
-- The code of the release before cannot run on this: it keeps requests in the table of the tasks and looks nowhere else
-- for what has ended. It must not run meanwhile either, for it would tell channels that their tasks are not there. So
-- stop tasks first, then migrate, then start this release.

alter table task rename to task_before;
alter table task_before rename constraint task_pkey to task_before_pkey;
alter table task_before
  rename constraint task_sales_channel_id_operation_idempotency_key_key to task_before_key;
alter table task_before rename constraint task_operation_check to task_before_operation_check;
alter table task_before rename constraint task_idempotency_key_check to task_before_idempotency_key_check;
alter table task_before rename constraint task_status_check to task_before_status_check;
alter table task_before rename constraint task_announcements_check to task_before_announcements_check;
alter table task_before rename constraint task_ledger_sequence_check to task_before_ledger_sequence_check;
drop index task_waiting, task_waiting_of_channel, task_of_sequence;
drop trigger task_guard on task_before;

create table task (
  -- Ids begin with their time. So this key grows at its end, finds what is old, and an id whose channel nobody knows.
  id text not null,
  sales_channel_id text not null,
  operation text not null check (operation in ('TRADE', 'RETIREMENT', 'OFFRAMP')),
  idempotency_key text not null check (idempotency_key ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- SHA-256 of the request: a key belongs to one request.
  fingerprint text not null,
  trader_id text not null,
  -- What was selected, [{"start", "end"}]: by it a request of the previous generation is known again.
  assets jsonb not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCESS', 'FAILED', 'REJECTED')),
  message text not null,
  transaction_id text,
  -- The place of the change that ended the task in the ledger's order. Null where the ledger refused the transfer, only
  -- told the outcome again, or is of the first release.
  ledger_sequence bigint check (ledger_sequence >= 1),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (id, sales_channel_id),
  unique (sales_channel_id, operation, idempotency_key)
) partition by hash (sales_channel_id);
-- Tasks of one page are made together and end together. Half of it is left for that, so that no index has to change.
create table task_0 partition of task for values with (modulus 8, remainder 0) with (fillfactor = 50);
create table task_1 partition of task for values with (modulus 8, remainder 1) with (fillfactor = 50);
create table task_2 partition of task for values with (modulus 8, remainder 2) with (fillfactor = 50);
create table task_3 partition of task for values with (modulus 8, remainder 3) with (fillfactor = 50);
create table task_4 partition of task for values with (modulus 8, remainder 4) with (fillfactor = 50);
create table task_5 partition of task for values with (modulus 8, remainder 5) with (fillfactor = 50);
create table task_6 partition of task for values with (modulus 8, remainder 6) with (fillfactor = 50);
create table task_7 partition of task for values with (modulus 8, remainder 7) with (fillfactor = 50);

-- What the ledger has not answered. A row goes with the answer.
create table waiting_task (
  sales_channel_id text not null,
  task_id text not null,
  -- The transfer as it was announced to the ledger, as JSON, to be announced again after a crash.
  request text not null,
  announced_at timestamptz not null default now(),
  -- How often the ledger was told of it, and why the transfer was withdrawn, if it was.
  announcements integer not null default 1 check (announcements > 0),
  withdrawal text,
  primary key (sales_channel_id, task_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A place in the ledger's order ends one task. A table of its own: an index on the tasks would change with each
-- outcome.
create table ledger_place (
  sales_channel_id text not null,
  sequence bigint not null,
  task_id text not null,
  primary key (sales_channel_id, sequence)
);

-- Tasks that ended long ago, by the month of their end (UTC).
create table task_archive (
  id text not null,
  sales_channel_id text not null,
  operation text not null,
  idempotency_key text not null,
  fingerprint text not null,
  trader_id text not null,
  assets jsonb not null,
  status text not null check (status in ('SUCCESS', 'FAILED', 'REJECTED')),
  message text not null,
  transaction_id text,
  ledger_sequence bigint,
  created_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (id, sales_channel_id, ended_at)
) partition by range (ended_at);

-- Finds an archived task by its idempotency key without asking every month. Different keys may have the same hash.
create table archived_key (
  key_hash bigint not null,
  task_id text not null,
  ended_at timestamptz not null
);
create index archived_key_hash on archived_key (key_hash);
create index archived_key_time on archived_key (ended_at);

-- Months that an operator let go. What ended before is gone, and its keys are free.
create table dropped_archive (
  month date primary key,
  dropped_at timestamptz not null default now()
);

create function task_key_hash(sales_channel_id text, operation text, idempotency_key text) returns bigint
language sql stable parallel safe
return substring(
  sha256(convert_to(sales_channel_id || '/' || operation || '/' || idempotency_key, 'UTF8')) for 8
)::bigint;

-- A service may change no tables. These two it may ask for, and whoever only reads may not.
create function check_keeper() returns void language plpgsql as $$
begin
  if not has_table_privilege(session_user, 'public.task_archive', 'DELETE') then
    raise exception 'only whoever writes the archive has its months made or dropped'
      using errcode = 'insufficient_privilege';
  end if;
end $$;

create function make_archive_month(month date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  first date := date_trunc('month', month);
  name text := 'task_archive_' || to_char(month, 'YYYY_MM');
begin
  perform public.check_keeper();
  if to_regclass('public.' || name) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('task_archive'));
  if to_regclass('public.' || name) is not null then return; end if;
  -- Attached, not made as a partition: that would wait for everybody who reads the archive, and make others wait.
  execute format('create table public.%I (like public.task_archive including defaults including constraints)', name);
  execute format(
    'alter table public.task_archive attach partition public.%I for values from (%L) to (%L)',
    name,
    first::timestamp at time zone 'UTC',
    (first + interval '1 month') at time zone 'UTC'
  );
end $$;

create function drop_archive_month(month date) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  name text := 'task_archive_' || to_char(month, 'YYYY_MM');
begin
  perform public.check_keeper();
  if month > now() - interval '2 months' then
    raise exception 'a month this young is kept' using errcode = 'integrity_constraint_violation';
  end if;
  perform pg_advisory_xact_lock(hashtext('task_archive'));
  if to_regclass('public.' || name) is null then return; end if;
  execute format('drop table public.%I', name);
  insert into public.dropped_archive (month) values (date_trunc('month', month)) on conflict do nothing;
end $$;

-- Nothing but the archive lets a task go.
create or replace function guard_task() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from task_archive
    where id = old.id and sales_channel_id = old.sales_channel_id and ended_at = old.updated_at
  ) then
    return old;
  end if;
  raise exception 'a task that has ended stays as it is' using errcode = 'integrity_constraint_violation';
end $$;

-- One look at the table of before, for it may be long.
with open_task as (
  delete from task_before where status = 'PENDING' returning *
), moved as (
  insert into task (id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id, assets, status, message,
    transaction_id, ledger_sequence, created_at, updated_at)
  select id, sales_channel_id, operation, idempotency_key, fingerprint, trader_id,
    (
      select jsonb_agg(jsonb_build_object('start', asset -> 'start', 'end', asset -> 'end') order by place)
      from jsonb_array_elements(request -> 'assets') with ordinality as selected (asset, place)
    ),
    status, message, transaction_id, ledger_sequence, created_at, updated_at
  from open_task
)
insert into waiting_task (sales_channel_id, task_id, request, announced_at, announcements, withdrawal)
select sales_channel_id, id, request::text, announced_at, announcements, withdrawal
from open_task where transaction_id is null;

create trigger task_guard before update on task for each row when (old.status <> 'PENDING')
  execute function guard_task();
create trigger task_kept before delete on task for each row execute function guard_task();
create trigger task_before_guard before update or delete on task_before for each row execute function guard_task();

-- A key that goes into the archive while it is used again: whoever inserts waits for the row to go, and does not see
-- where it went. By now it can be seen. To do the transaction again is the answer (serialization_failure).
create function guard_archived_keys() returns trigger language plpgsql as $$
begin
  if exists (
    select from made
    join archived_key on archived_key.key_hash
      = task_key_hash(made.sales_channel_id, made.operation, made.idempotency_key)
    join task_archive on task_archive.id = archived_key.task_id and task_archive.ended_at = archived_key.ended_at
      and task_archive.sales_channel_id = made.sales_channel_id and task_archive.operation = made.operation
      and task_archive.idempotency_key = made.idempotency_key
  ) then
    raise exception 'a task with this idempotency key went into the archive' using errcode = 'serialization_failure';
  end if;
  return null;
end $$;
create trigger task_keys after insert on task referencing new table as made for each statement
  execute function guard_archived_keys();
