-- Who sent an import, how many of its errors are stored, and the number of the lease under which it is worked on: each
-- lease has a larger one than all before it.
alter table import
  add column key_id text,
  add column errors_stored bigint not null default 0 check (errors_stored >= 0),
  add column lease_number bigint;
update import set errors_stored = (select count(*) from import_error where import_id = import.id);
create index import_waiting_of_key on import (key_id) where status in ('UPLOADING', 'PENDING', 'RUNNING');
create sequence import_lease_number;
