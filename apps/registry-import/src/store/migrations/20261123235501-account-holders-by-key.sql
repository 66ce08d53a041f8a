-- Outside a transaction: the index is made while account holders are.
drop index concurrently if exists account_holder_by_business_key;
create index concurrently account_holder_by_business_key on account_holder (comparison_key(business_id));
