-- A file is stored in chunks of equal size while it is uploaded, and its chunks are deleted as they are applied.
-- `next_byte` and `next_line` say where reading goes on. From `pass` 1 on the whole file has been read, and the lines
-- that wait for a record are tried again.
create table import (
  id text primary key,
  ordinal bigint generated always as identity constraint import_ordinal unique,
  format text not null check (format in ('ndjson', 'csv')),
  record_type text check ((format = 'csv') = (record_type is not null)),
  status text not null check (status in ('UPLOADING', 'PENDING', 'RUNNING', 'COMPLETED', 'FAILED')),
  lines_read bigint not null default 0,
  lines_applied bigint not null default 0 check (lines_applied >= 0),
  lines_failed bigint not null default 0 check (lines_failed >= 0),
  next_byte bigint not null default 0,
  next_line bigint not null default 1,
  columns jsonb,
  pass integer not null default 0,
  pass_line bigint not null default 0,
  pass_applied bigint not null default 0,
  faults integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  check (lines_applied + lines_failed <= lines_read),
  check (status <> 'COMPLETED' or lines_applied + lines_failed = lines_read),
  check ((completed_at is not null) = (status in ('COMPLETED', 'FAILED')))
);

create index import_unfinished on import (ordinal) where status in ('UPLOADING', 'PENDING', 'RUNNING');

create table import_chunk (
  import_id text not null references import,
  position bigint not null,
  data bytea not null,
  primary key (import_id, position)
);

-- To compress it once more would only cost time: chunks live for minutes.
alter table import_chunk alter column data set storage external;

create table import_waiting_line (
  import_id text not null references import,
  line bigint not null,
  record text not null,
  code text not null,
  detail text not null,
  primary key (import_id, line)
);

create table import_error (
  import_id text not null references import,
  line bigint not null,
  code text not null,
  detail text not null,
  primary key (import_id, line)
);
