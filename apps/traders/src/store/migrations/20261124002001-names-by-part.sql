-- Outside a transaction: writing goes on while names are indexed.
drop index concurrently if exists trader_by_part_of_name;
create index concurrently trader_by_part_of_name on trader
  using gin (name_parts(sales_channel_id || '/', folded_name(name)));
drop index concurrently if exists trader_by_part_of_any_name;
create index concurrently trader_by_part_of_any_name on trader
  using gin (name_parts('', folded_name(name)));
