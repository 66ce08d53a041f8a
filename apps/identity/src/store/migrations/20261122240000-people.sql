-- What the access tokens of a user say of them, for people who read lists. The address counts for an invitation only
-- when the issuer has verified it.
alter table app_user
  add column email text constraint app_user_email check (length(email) between 3 and 254),
  add column email_verified boolean not null default false,
  add column name text constraint app_user_name check (length(name) between 1 and 200),
  -- Coarse. In no index and in no condition of one: an update of it then needs no new index entry.
  add column last_seen_at timestamptz(3),
  -- The sales channel whose administrator made the user known before they signed in.
  add column introduced_by text constraint app_user_introduced_by check (length(introduced_by) between 1 and 128);

create index app_user_introduced on app_user (introduced_by) where introduced_by is not null;

alter table api_key
  add column name text constraint api_key_name check (length(name) between 1 and 100),
  add column last_used_at timestamptz(3);

alter table registry_key
  add column name text constraint registry_key_name check (length(name) between 1 and 100),
  add column last_used_at timestamptz(3);
