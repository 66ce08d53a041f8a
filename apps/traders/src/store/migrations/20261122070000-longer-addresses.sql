-- Members of an address have up to 1,000 characters. The two street lines of an account holder arrive as one.
alter domain entity_address drop constraint entity_address_check;
alter domain entity_address add constraint entity_address_check check (
  jsonb_typeof(value) = 'object' and value - '{zipCode,city,countryName,street,poBox}'::text[] = '{}'::jsonb
  and coalesce(jsonb_typeof(value -> 'zipCode'), 'string') = 'string'
  and char_length(coalesce(value ->> 'zipCode', '')) <= 1000
  and coalesce(jsonb_typeof(value -> 'city'), 'string') = 'string'
  and char_length(coalesce(value ->> 'city', '')) <= 1000
  and coalesce(jsonb_typeof(value -> 'countryName'), 'string') = 'string'
  and char_length(coalesce(value ->> 'countryName', '')) <= 1000
  and coalesce(jsonb_typeof(value -> 'street'), 'string') = 'string'
  and char_length(coalesce(value ->> 'street', '')) <= 2002
  and coalesce(jsonb_typeof(value -> 'poBox'), 'string') = 'string'
  and char_length(coalesce(value ->> 'poBox', '')) <= 1000
);
