import { Migration } from '@mikro-orm/migrations';

/** `ordinal` is the order of registration. */
export class Migration20261121000001_account_holder extends Migration {
  override up(): void {
    this.addSql(`
      create table account_holder (
        id text primary key,
        ordinal bigint generated always as identity constraint account_holder_ordinal unique,
        business_id text not null constraint account_holder_business_id unique check (char_length(business_id) between 1 and 200),
        name text not null check (char_length(name) between 1 and 200),
        postal_code text not null check (char_length(postal_code) <= 200),
        city text not null check (char_length(city) <= 200),
        country text not null check (char_length(country) between 1 and 200),
        street1 text not null check (char_length(street1) <= 200),
        street2 text check (char_length(street2) between 1 and 200),
        auto_approval boolean not null,
        registered_on timestamptz not null default clock_timestamp()
      )`);
  }
}

/**
 * A file is stored in chunks of equal size while it is uploaded, and its chunks are deleted as they are applied. `next_byte` and `next_line` say where
 * reading goes on; from `pass` 1 on the whole file has been read, and the lines that wait for a record are tried again.
 */
export class Migration20261121000002_import extends Migration {
  override up(): void {
    this.addSql(`
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
      )`);
    this.addSql(
      `create index import_unfinished on import (ordinal) where status in ('UPLOADING', 'PENDING', 'RUNNING')`,
    );
    this.addSql(`
      create table import_chunk (
        import_id text not null references import,
        position bigint not null,
        data bytea not null,
        primary key (import_id, position)
      )`);
    // What was compressed once more would only cost time: chunks live for minutes.
    this.addSql('alter table import_chunk alter column data set storage external');
    this.addSql(`
      create table import_waiting_line (
        import_id text not null references import,
        line bigint not null,
        record text not null,
        code text not null,
        detail text not null,
        primary key (import_id, line)
      )`);
    this.addSql(`
      create table import_error (
        import_id text not null references import,
        line bigint not null,
        code text not null,
        detail text not null,
        primary key (import_id, line)
      )`);
  }
}

export const migrations = [Migration20261121000001_account_holder, Migration20261121000002_import];
