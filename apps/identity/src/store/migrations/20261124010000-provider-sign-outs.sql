-- Sign-outs at the provider, for sign-ins that are under way meanwhile: their sessions begin after the sign-out, and
-- must not live. Replicas of the release before neither write nor read it.
create table provider_sign_out (
  client text not null check (client in ('portal', 'console')),
  issuer text not null check (length(issuer) between 1 and 500),
  subject text check (length(subject) between 1 and 255),
  provider_session text check (length(provider_session) between 1 and 255),
  at timestamptz(3) not null,
  check (subject is not null or provider_session is not null)
);
create index provider_sign_out_of_session on provider_sign_out (provider_session, issuer)
  where provider_session is not null;
create index provider_sign_out_of_subject on provider_sign_out (subject, issuer) where subject is not null;
create index provider_sign_out_by_age on provider_sign_out (at);
