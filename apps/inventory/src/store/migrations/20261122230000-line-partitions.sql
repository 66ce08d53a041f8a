-- The lines of transactions in eight parts by transaction (ADR 32): whoever reads or writes lines knows of which
-- transaction, and the key leads with it. Only the history of a certificate asks all parts, by their indexes.
--
-- Everything is copied: about twice the room of the lines for as long as it takes. Nothing is settled or read
-- meanwhile: transfers wait in their queues, and reads are answered 503. The release before works on this schema as it
-- did.
alter table transaction_line rename to transaction_line_before;
alter table transaction_line_before drop constraint transaction_line_pkey;
drop index line_of_bundle, line_leaving_bundle;

create table transaction_line (
  transaction_id text not null,
  ordinal int not null,
  issuance_id uuid not null,
  first numeric(38, 0) not null,
  last numeric(38, 0) not null,
  unit_price numeric(16, 6) constraint transaction_line_unit_price_check check (unit_price >= 0),
  source_bundle_id bigint,
  source_first numeric(38, 0),
  source_last numeric(38, 0),
  bundle_id bigint not null,
  before_bundle_id bigint,
  constraint transaction_line_check check (first <= last),
  constraint transaction_line_check1 check (
    (source_bundle_id is null) = (source_first is null) and (source_bundle_id is null) = (source_last is null)
  ),
  constraint transaction_line_check2 check (source_first <= first and last <= source_last),
  constraint line_leaves_what_lay_before check (
    (before_bundle_id is not null) = coalesce(source_first < first, false)
  )
) partition by hash (transaction_id);
create table transaction_line_0 partition of transaction_line for values with (modulus 8, remainder 0);
create table transaction_line_1 partition of transaction_line for values with (modulus 8, remainder 1);
create table transaction_line_2 partition of transaction_line for values with (modulus 8, remainder 2);
create table transaction_line_3 partition of transaction_line for values with (modulus 8, remainder 3);
create table transaction_line_4 partition of transaction_line for values with (modulus 8, remainder 4);
create table transaction_line_5 partition of transaction_line for values with (modulus 8, remainder 5);
create table transaction_line_6 partition of transaction_line for values with (modulus 8, remainder 6);
create table transaction_line_7 partition of transaction_line for values with (modulus 8, remainder 7);

insert into transaction_line (
    transaction_id, ordinal, issuance_id, first, last, unit_price, source_bundle_id, source_first, source_last,
    bundle_id, before_bundle_id
  )
  select transaction_id, ordinal, issuance_id, first, last, unit_price, source_bundle_id, source_first, source_last,
    bundle_id, before_bundle_id
  from transaction_line_before;
drop table transaction_line_before;

-- Keys are made when the rows are there: each is then written once, in its order.
alter table transaction_line add constraint transaction_line_pkey primary key (transaction_id, ordinal);
alter table transaction_line add constraint transaction_line_transaction_id_fkey
  foreign key (transaction_id) references ledger_transaction;
create index line_of_bundle on transaction_line (bundle_id, first);
create index line_leaving_bundle on transaction_line (before_bundle_id) where before_bundle_id is not null;

create trigger lines_fit after insert on transaction_line
  referencing new table as added for each statement execute function guard_lines();
create trigger transaction_line_append_only
  before update or delete on transaction_line for each row execute function refuse_change();
-- A part can be written and emptied by its own name. Triggers of statements are those of the table that is named.
create trigger transaction_line_no_truncate
  before truncate on transaction_line for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_0 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_1 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_2 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_3 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_4 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_5 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_6 for each statement execute function refuse_change();
create trigger transaction_line_no_truncate
  before truncate on transaction_line_7 for each statement execute function refuse_change();
create trigger lines_fit after insert on transaction_line_0
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_1
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_2
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_3
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_4
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_5
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_6
  referencing new table as added for each statement execute function guard_lines();
create trigger lines_fit after insert on transaction_line_7
  referencing new table as added for each statement execute function guard_lines();
analyze transaction_line;
