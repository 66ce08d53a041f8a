-- Account holders look for a channel by name, page by page. Suspended ones are passed by.
create index sales_channel_by_name on sales_channel ((lower(name) collate "C"), id) where suspended_at is null;
