-- Disabled users are few among all, and among those of an account holder.
create index app_user_disabled on app_user (id) where disabled_at is not null;
create index app_user_disabled_of_account_holder on app_user (account_holder_id, id)
  where disabled_at is not null and account_holder_id is not null;
