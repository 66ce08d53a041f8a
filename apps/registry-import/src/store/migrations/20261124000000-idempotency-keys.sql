-- Requests that may be repeated, to be copied into a migration of each service that makes something. See records.ts.
create table idempotency_key (
  -- Whose key it is, such as "user/cm7…".
  scope text not null check (scope <> ''),
  operation text not null check (operation <> ''),
  key text not null check (key ~ '^[A-Za-z0-9_-]{1,64}$'),
  -- SHA-256 of the request.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Null only within the transaction that carries out the request.
  answer bytea,
  created_at timestamptz not null default clock_timestamp(),
  -- Null for a key that is kept as long as the record it made.
  kept_until timestamptz,
  primary key (scope, operation, key)
);
create index idempotency_key_kept_until on idempotency_key (kept_until) where kept_until is not null;
