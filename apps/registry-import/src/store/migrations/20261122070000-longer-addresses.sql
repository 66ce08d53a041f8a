-- Members of an address have up to 1,000 characters.
alter table account_holder
  drop constraint account_holder_postal_code_check,
  drop constraint account_holder_city_check,
  drop constraint account_holder_country_check,
  drop constraint account_holder_street1_check,
  drop constraint account_holder_street2_check,
  add constraint account_holder_postal_code_check check (char_length(postal_code) <= 1000),
  add constraint account_holder_city_check check (char_length(city) <= 1000),
  add constraint account_holder_country_check check (char_length(country) between 1 and 1000),
  add constraint account_holder_street1_check check (char_length(street1) <= 1000),
  add constraint account_holder_street2_check check (char_length(street2) between 1 and 1000);
