-- A suspended channel is read, and nothing on it changes.
alter table sales_channel
  add column suspended_at timestamptz(3),
  add column suspended_reason text constraint sales_channel_suspended_reason check (
    length(suspended_reason) between 1 and 1000
  ),
  add constraint sales_channel_suspension check ((suspended_at is null) = (suspended_reason is null));

-- The users of a channel in the order of their ids, page by page.
create index binding_of_sales_channel_by_user on binding (sales_channel_id, user_id);
drop index binding_of_sales_channel;
