-- Outside a transaction: uploads go on while the index is made.
-- `lease_number` tells whose last turn was longest ago.
drop index concurrently if exists import_by_turn;
create index concurrently import_by_turn on import ((coalesce(holder_id, key_id, '')), lease_number);
