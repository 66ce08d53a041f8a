-- What is stored so far was hashed under the only pepper that there was. The default stays: the release before makes
-- keys without naming a version while this one is rolled out.
alter table api_key add column pepper_version smallint not null default 1 check (pepper_version > 0);
alter table registry_key add column pepper_version smallint not null default 1 check (pepper_version > 0);

-- To count what is still under an older pepper.
create index api_key_by_pepper on api_key (pepper_version);
create index registry_key_by_pepper on registry_key (pepper_version);
