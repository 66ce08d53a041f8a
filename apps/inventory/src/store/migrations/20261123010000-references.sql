-- What sales channels say of their own transfers (ADR 43). Apart from the transactions: whoever says nothing writes
-- nothing here, and no index of the ledger knows of it. The release before runs on this.

create table transaction_reference (
  transaction_id text primary key references ledger_transaction,
  sales_channel_id text not null,
  external_reference text check (char_length(external_reference) between 1 and 100),
  metadata jsonb check (jsonb_typeof(metadata) = 'object'),
  check (external_reference is not null or metadata is not null)
);
-- That a reference is used once is for tasks to say, where it is refused. The ledger would have to refuse what was
-- accepted.
create index transaction_reference_of_channel on transaction_reference (sales_channel_id, external_reference)
  where external_reference is not null;

-- By which transactions are found, in the order of their lists.
create table transaction_metadata (
  sales_channel_id text not null,
  -- SHA-256 of name, '=' and value: an entry of an index has no room for the value itself.
  pair bytea not null check (octet_length(pair) = 32),
  type text not null,
  -- Those of the transaction.
  created_at timestamptz(3) not null,
  transaction_id text not null references ledger_transaction,
  primary key (sales_channel_id, pair, type, created_at, transaction_id)
);

create trigger transaction_reference_append_only before update or delete on transaction_reference
  for each row execute function refuse_change();
create trigger transaction_reference_no_truncate before truncate on transaction_reference
  for each statement execute function refuse_change();
create trigger transaction_metadata_append_only before update or delete on transaction_metadata
  for each row execute function refuse_change();
create trigger transaction_metadata_no_truncate before truncate on transaction_metadata
  for each statement execute function refuse_change();
