#!/usr/bin/env bash
# Makes a role and a database for every service. Runs when the server makes its data folder. It may run again at any
# time, for a service that is new or passwords that have changed:
#   docker compose exec postgres bash /docker-entrypoint-initdb.d/10-roles.sh
# Reads lines of "role password" from the file that ROLES_FILE names. Role and database have the same name.
set -euo pipefail

while read -r role password; do
  [[ -n "$role" ]] || continue
  ROLE_PASSWORD="$password" psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set role="$role" \
    --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv password ROLE_PASSWORD
select format('create role %I', :'role') where not exists (select from pg_roles where rolname = :'role') \gexec
alter role :"role" login nosuperuser nocreatedb nocreaterole password :'password';
select format('create database %I owner %I', :'role', :'role')
  where not exists (select from pg_database where datname = :'role') \gexec
revoke connect, temporary on database :"role" from public;
SQL
  echo "role and database $role are there"
done <"${ROLES_FILE:?}"
