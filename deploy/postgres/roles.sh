#!/usr/bin/env bash
# Creates a database for every service, with a role that owns it and one for the service, a role that reads all
# databases, and one that reads only statistics of the server. Runs when the server creates its data folder. Run it
# again for new services, changed passwords, or databases of an earlier release, which the service's role still owns:
#   docker compose exec postgres bash /docker-entrypoint-initdb.d/10-roles.sh
# Reads the file ROLES_FILE: a line "role password" for the monitor and one for the auditor, then for each service a
# line "role password owner owner-password". The database of a service has the name of its role.
set -euo pipefail

sql() {
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" "$@"
}

make_role() {
  ROLE_PASSWORD="$2" sql --set role="$1" --dbname postgres <<'SQL'
\getenv password ROLE_PASSWORD
select format('create role %I', :'role') where not exists (select from pg_roles where rolname = :'role') \gexec
alter role :"role" login nosuperuser nocreatedb nocreaterole password :'password';
SQL
}

# The administrator may not be a superuser, and must be a member of the roles to act for them.
make_database() {
  sql --set role="$1" --set owner="$2" --set auditor="$3" --dbname postgres <<'SQL'
select format('grant %I to current_user', name) from unnest(array[:'role', :'owner']) as name
  where not pg_has_role(name, 'member') \gexec
select format('create database %I', :'role') where not exists (select from pg_database where datname = :'role') \gexec
alter database :"role" owner to :"owner";
revoke all on database :"role" from public, :"role";
grant connect on database :"role" to :"role", :"auditor";
SQL
  sql --set role="$1" --set owner="$2" --set auditor="$3" --dbname "$1" <<'SQL'
reassign owned by :"role" to :"owner";
set role :"owner";
revoke all on schema public from public;
grant usage on schema public to :"role", :"auditor";
alter default privileges in schema public grant select, insert, update, delete on tables to :"role";
alter default privileges in schema public grant usage on sequences to :"role";
grant usage on all sequences in schema public to :"role";
alter default privileges in schema public grant select on tables to :"auditor";
grant select on all tables in schema public to :"auditor";
-- Only on tables without rights: migrations revoked rights on the others that the service never needs.
select format('grant select, insert, update, delete on %s to %I', oid::regclass, :'role') from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not has_table_privilege(:'role', oid, 'select') \gexec
SQL
}

# The backup job replicates as the administrator from another container, which the image's rules forbid. PGDATA is unset
# on a remote server.
allow_replication() {
  local file="${PGDATA:-/nowhere}/pg_hba.conf" rule="host replication ${POSTGRES_USER:-postgres} all scram-sha-256"
  [[ -w "$file" ]] || return 0
  grep -qxF "$rule" "$file" || echo "$rule" >>"$file"
  sql --dbname postgres --command 'select pg_reload_conf()' >/dev/null
}

# By default every role may connect to these databases. Only the monitor needs to, and only to "postgres".
close_other_databases() {
  sql --dbname postgres <<'SQL'
select format('revoke all on database %I from public', datname) from pg_database
  where datname in ('postgres', 'template1') and pg_has_role(datdba, 'usage') \gexec
SQL
}

auditor=''
while read -r role password owner owner_password; do
  [[ -n "$role" ]] || continue
  make_role "$role" "$password"
  if [[ "$role" == *_monitor ]]; then
    sql --set role="$role" --dbname postgres <<'SQL'
grant pg_monitor to :"role";
grant connect on database postgres to :"role";
SQL
    echo "role $role is ready"
    continue
  fi
  if [[ -z "$owner" ]]; then
    auditor="$role"
    echo "role $role is ready"
    continue
  fi
  make_role "$owner" "$owner_password"
  make_database "$role" "$owner" "${auditor:?must precede the services in ROLES_FILE}"
  echo "role and database $role are ready"
done <"${ROLES_FILE:?}"
close_other_databases
allow_replication
