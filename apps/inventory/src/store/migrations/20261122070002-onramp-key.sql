-- Which onramp a key has made: the same key never makes a second one. Written first, so that repetitions at the same
-- time wait for each other.
create table onramp_key (
  account_holder_id text not null,
  key text not null check (length(key) between 1 and 64),
  -- SHA-256 of the request.
  fingerprint bytea not null check (length(fingerprint) = 32),
  transaction_id text not null unique references ledger_transaction deferrable initially deferred,
  primary key (account_holder_id, key)
);

create trigger onramp_key_append_only
  before update or delete on onramp_key for each row execute function refuse_change();
create trigger onramp_key_no_truncate
  before truncate on onramp_key for each statement execute function refuse_change();
