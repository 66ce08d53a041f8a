-- Outside a transaction: writing goes on while names are indexed.
drop index concurrently if exists production_facility_by_part_of_name;
create index concurrently production_facility_by_part_of_name on production_facility
  using gin (name_parts('', folded_name(name)));
drop index concurrently if exists supplier_by_part_of_name;
create index concurrently supplier_by_part_of_name on supplier
  using gin (name_parts('', folded_name(name)));
