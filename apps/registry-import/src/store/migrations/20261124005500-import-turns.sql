-- Account holders take turns. Null: an operator sent the import, or a release that did not keep the account holder,
-- whose keys take turns instead.
alter table import add column holder_id text;
