-- Outside a transaction: retirements are made public while statements are indexed.
drop index concurrently if exists statement_by_part_of_beneficiary;
create index concurrently statement_by_part_of_beneficiary on retirement_statement
  using gin (name_parts('', folded_beneficiary))
  where publication = 'PUBLIC' and retired_at is not null;
