-- Outside a transaction: proposals are made while their names are indexed.
drop index concurrently if exists proposal_by_part_of_name;
create index concurrently proposal_by_part_of_name on proposal
  using gin (name_parts(sales_channel_id || '/', folded_name(name)));
