-- Ids of statements stand first in the lines of CSV. A field that begins with "-" gets an apostrophe there, since
-- spreadsheets take it for a formula, and is no id any more. So new ones begin with one of 32 letters: 127 random bits.
-- Those that are there stay as they are, for people have them.
create or replace function random_statement_id() returns text language sql volatile as $$
  select rtrim(translate(encode(set_byte(
    substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16),
    0, get_byte(uuid_send(gen_random_uuid()), 0) & 127
  ), 'base64'), '+/', '-_'), '=')
$$;
