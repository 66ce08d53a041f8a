-- None of the credentials of a disabled user is good. Keys are kept, for the day when they are enabled again.
alter table app_user
  add column disabled_at timestamptz(3),
  add column disabled_reason text constraint app_user_disabled_reason check (
    length(disabled_reason) between 1 and 1000
  ),
  add constraint app_user_disabled check ((disabled_at is null) = (disabled_reason is null));

create index app_user_of_account_holder on app_user (account_holder_id, id) where account_holder_id is not null;

-- The API key that a key was made with. Null when an access token or an operator made it. Whoever deletes a key deletes
-- those that were made with it: the reference sees to that where the code forgets it.
alter table api_key add column made_with_key_id text references api_key on delete cascade;
create index api_key_made_with on api_key (made_with_key_id) where made_with_key_id is not null;

alter table registry_key add column made_with_key_id text references api_key on delete cascade;
create index registry_key_made_with on registry_key (made_with_key_id) where made_with_key_id is not null;
create index registry_key_of_user on registry_key (created_by) where created_by is not null;
