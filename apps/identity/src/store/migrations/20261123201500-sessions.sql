-- Sessions of people in the portal and of operators in the console. A session that has ended stays ended.
create table session (
  id text primary key constraint session_id check (length(id) between 1 and 128),
  client text not null constraint session_client check (client in ('portal', 'console')),
  issuer text not null constraint session_issuer check (length(issuer) between 1 and 500),
  subject text not null constraint session_subject check (length(subject) between 1 and 255),
  -- The claims auth_time, acr and sid of the ID token.
  signed_in_at timestamptz(3) not null,
  acr text constraint session_acr check (length(acr) between 1 and 255),
  provider_session text constraint session_provider_session check (length(provider_session) between 1 and 255),
  address text constraint session_address check (length(address) between 1 and 100),
  begun_at timestamptz(3) not null,
  -- Coarse, and in no index: an update of it then needs no new index entry.
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by text,
  constraint session_end check ((ended_at is null) = (ended_by is null))
);
create index session_of_subject on session (subject, issuer);
create index session_expiry on session (expires_at);

-- Access tokens of sessions by their SHA-256: a token is worth nothing once its session has ended.
create table session_token (
  token_hash bytea primary key constraint session_token_hash check (octet_length(token_hash) = 32),
  session_id text not null references session on delete cascade,
  expires_at timestamptz(3) not null
);
create index session_token_of_session on session_token (session_id);
create index session_token_expiry on session_token (expires_at);
