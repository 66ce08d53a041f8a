-- Invitations to a sales channel. Of a token, which has 256 random bits, only the SHA-256 is kept.
create table invitation (
  id text primary key,
  sales_channel_id text not null references sales_channel,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- Only a user with this verified address can accept it. Null: whoever has the token can.
  email text check (length(email) between 3 and 254),
  -- The roles of binding_role. One that a later release has is none that this one gives.
  roles text[] not null check (cardinality(roles) between 1 and 100),
  created_by text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null check (expires_at > created_at),
  accepted_by text,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  check ((accepted_by is null) = (accepted_at is null)),
  check (accepted_at is null or revoked_at is null)
);

create index invitation_of_sales_channel on invitation (sales_channel_id, created_at, id);
-- Those that are forgotten, address and all.
create index invitation_by_end on invitation (expires_at);
