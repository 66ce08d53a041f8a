-- What an account holder has, wherever it is, comes from one range of an index for each owner and state. Bundles that
-- are listed are in the index of owners already. This one has the others, so a trade of listed bundles writes nothing
-- to it: an issuance that is not listed costs one entry, a retirement, an offramp or a reservation one for each bundle.
create index bundle_of_owner_by_state on bundle (owner_id, state, issuance_id, last)
  where state in ('HELD', 'RESERVED', 'RETIRED', 'OFFRAMPED');
