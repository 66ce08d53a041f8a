-- Outside a transaction: writing goes on while names are indexed.
drop index concurrently if exists sales_channel_by_part_of_name;
create index concurrently sales_channel_by_part_of_name on sales_channel
  using gin (name_parts('', folded_name(name)));
