-- Outside a transaction: writing goes on while names are indexed.
drop index concurrently if exists account_holder_by_part_of_name;
create index concurrently account_holder_by_part_of_name on account_holder
  using gin (name_parts('', folded_name(name)));
