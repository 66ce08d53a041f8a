-- In a sandbox: the channel that stands in for this one, which is suspended for good.
alter table sales_channel
  add column replaced_by text references sales_channel,
  add constraint sales_channel_replaced check (replaced_by is null or suspended_at is not null);
