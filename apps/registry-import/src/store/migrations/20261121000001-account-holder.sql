-- `ordinal` is the order of registration.
create table account_holder (
  id text primary key,
  ordinal bigint generated always as identity constraint account_holder_ordinal unique,
  business_id text not null
    constraint account_holder_business_id unique
    check (char_length(business_id) between 1 and 200),
  name text not null check (char_length(name) between 1 and 200),
  postal_code text not null check (char_length(postal_code) <= 200),
  city text not null check (char_length(city) <= 200),
  country text not null check (char_length(country) between 1 and 200),
  street1 text not null check (char_length(street1) <= 200),
  street2 text check (char_length(street2) between 1 and 200),
  auto_approval boolean not null,
  registered_on timestamptz not null default clock_timestamp()
);
