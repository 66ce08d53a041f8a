-- Repeatable requests. Copy it into a migration of each service that creates records. See records.ts.
create table idempotency_key (
  -- Owner of the key, such as "user/cm7…".
  scope text not null check (scope <> ''),
  operation text not null check (operation <> ''),
  key text not null check (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- SHA-256 of the request.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Null only inside the transaction that carries out the request.
  answer bytea,
  created_at timestamptz not null default clock_timestamp(),
  -- Null for a key kept as long as the record that it created.
  kept_until timestamptz,
  primary key (scope, operation, key)
);
create index idempotency_key_kept_until on idempotency_key (kept_until) where kept_until is not null;
