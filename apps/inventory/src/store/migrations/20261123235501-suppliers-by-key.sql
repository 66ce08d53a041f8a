-- Outside a transaction: the index is made while suppliers are.
drop index concurrently if exists supplier_by_key;
create index concurrently supplier_by_key on supplier (comparison_key(name));
