-- Outside a transaction: sessions begin meanwhile.
-- To find the sessions that the provider ends by its own session.
drop index concurrently if exists session_of_provider;
create index concurrently session_of_provider on session (provider_session, issuer) where provider_session is not null;
