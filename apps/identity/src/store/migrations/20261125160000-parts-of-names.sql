-- Finds names by any part of them, whatever the case and the accents. The index on name_parts holds every run of one to
-- three characters of a name, as pg_trgm would, but one tenant's apart from another's, short parts too, and without an
-- extension that every server must have.
create function folded_name(name text) returns text language sql immutable strict parallel safe as $$
  select translate(
    replace(replace(replace(
      lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    'øłđı', 'oldi'
  )
$$;

-- The runs that a folded name has, each led by the scope within which it is looked for.
create function name_parts(scope text, folded text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct scope || substr(folded, start, size)), '{}')
  from generate_series(1, length(folded)) as start
    cross join generate_series(1, least(3, length(folded) - start + 1)) as size
$$;
