-- The log in eight parts by sales channel (ADR 32). All events of a channel are in one part, so what is unique in a
-- part is unique in the channel.
--
-- Everything is copied: about twice the room of the log for as long as it takes. Neither appends nor reads go on
-- meanwhile. Changes of status wait in the queue, and reads are answered 503.

-- The release before appends with a conflict on the id alone, of which no partitioned table knows. It would take that
-- for a fault of the event, and give it up. Without this table it waits instead, and goes on reading the log, until
-- this release takes its place.
alter table event_head rename to log_head;
alter table log_head rename constraint event_head_pkey to log_head_pkey;

alter table event rename to event_before;
alter table event_before drop constraint event_created_at_once, drop constraint event_once;
drop index event_of_change, event_of_sequence;

create table event (
  sales_channel_id text not null constraint event_sales_channel_id_check check (sales_channel_id <> ''),
  created_at timestamptz not null
    constraint event_created_at_in_milliseconds
      check (mod(extract(microseconds from created_at at time zone 'UTC'), 1000) = 0)
    constraint event_created_at_after_epoch check (created_at > 'epoch'),
  id text not null constraint event_id_check check (id <> ''),
  event_type text not null constraint event_event_type_check check (event_type in ('TRANSACTION_STATUS_CHANGE')),
  event_at timestamptz not null,
  transaction_id text not null constraint event_transaction_id_check check (transaction_id <> ''),
  status text not null
    constraint event_status_check check (status in ('PENDING', 'SUCCESS', 'REJECTED', 'FAILED')),
  sequence bigint constraint event_sequence_check check (sequence >= 1)
) partition by hash (sales_channel_id);
create table event_0 partition of event for values with (modulus 8, remainder 0);
create table event_1 partition of event for values with (modulus 8, remainder 1);
create table event_2 partition of event for values with (modulus 8, remainder 2);
create table event_3 partition of event for values with (modulus 8, remainder 3);
create table event_4 partition of event for values with (modulus 8, remainder 4);
create table event_5 partition of event for values with (modulus 8, remainder 5);
create table event_6 partition of event for values with (modulus 8, remainder 6);
create table event_7 partition of event for values with (modulus 8, remainder 7);

insert into event (sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence)
  select sales_channel_id, created_at, id, event_type, event_at, transaction_id, status, sequence from event_before;
drop table event_before;

-- Keys are made when the rows are there: each is then written once, in its order.
alter table event add constraint event_created_at_once primary key (sales_channel_id, created_at);
create unique index event_of_change on event (sales_channel_id, transaction_id, status);
create unique index event_of_sequence on event (sales_channel_id, sequence) where sequence is not null;
-- One of each part: an id is unique in it, and so in each channel. Who looks for an id alone asks all of them.
create unique index event_once_0 on event_0 (id);
create unique index event_once_1 on event_1 (id);
create unique index event_once_2 on event_2 (id);
create unique index event_once_3 on event_3 (id);
create unique index event_once_4 on event_4 (id);
create unique index event_once_5 on event_5 (id);
create unique index event_once_6 on event_6 (id);
create unique index event_once_7 on event_7 (id);

create trigger event_append_only before update or delete on event for each row execute function refuse_change();
-- A part can be emptied by its own name.
create trigger event_no_truncate before truncate on event for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_0 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_1 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_2 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_3 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_4 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_5 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_6 for each statement execute function refuse_change();
create trigger event_no_truncate before truncate on event_7 for each statement execute function refuse_change();
analyze event;
