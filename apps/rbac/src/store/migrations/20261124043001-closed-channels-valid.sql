alter table sales_channel validate constraint sales_channel_closing;
alter table sales_channel validate constraint sales_channel_closed;
