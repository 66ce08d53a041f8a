-- The last sequence that was given out in a channel. Whoever holds the row numbers changes of status, until the commit.
create table channel_sequence (
  sales_channel_id text primary key,
  last bigint not null check (last >= 1)
);

create function guard_channel_sequence() returns trigger language plpgsql as $$
begin
  raise exception 'the sequence of a channel only goes up' using errcode = 'integrity_constraint_violation';
end $$;

create trigger channel_sequence_goes_up
  before update on channel_sequence for each row
  when (new.last <= old.last or new.sales_channel_id <> old.sales_channel_id)
  execute function guard_channel_sequence();
create trigger channel_sequence_stays
  before delete on channel_sequence for each row execute function guard_channel_sequence();
create trigger channel_sequence_no_truncate
  before truncate on channel_sequence for each statement execute function guard_channel_sequence();

-- Every change of a transaction's status, numbered without gaps in each channel, in commit order: all that its
-- integration event was made of, so that the very same can be published again.
create table status_change (
  sales_channel_id text not null,
  sequence bigint not null check (sequence >= 1),
  transaction_id text not null unique,
  task_id text not null,
  status text not null check (status in ('SUCCESS', 'REJECTED', 'FAILED')),
  reason text,
  event_id text not null,
  effective_at timestamptz(3) not null,
  traceparent text,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (sales_channel_id, sequence)
);

create trigger status_change_append_only
  before update or delete on status_change for each row execute function refuse_change();
create trigger status_change_no_truncate
  before truncate on status_change for each statement execute function refuse_change();

-- What ended before there were sequences. The ids of those events are not known here. Who has recorded them knows them
-- by transaction and status.
insert into status_change (
  sales_channel_id, sequence, transaction_id, task_id, status, reason, event_id, effective_at, recorded_at
)
select sales_channel_id, row_number() over (partition by sales_channel_id order by completed_at, number), id, task_id,
  status, reason, 'c' || left(md5(id || status), 24), completed_at, completed_at
from ledger_transaction where task_id is not null and status <> 'PENDING';

insert into channel_sequence (sales_channel_id, last)
select sales_channel_id, max(sequence) from status_change group by sales_channel_id;
