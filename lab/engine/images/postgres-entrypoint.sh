#!/usr/bin/env bash
# As the official image at its first start: initializes the data folder, runs /docker-entrypoint-initdb.d on a server
# that listens on its socket only, then starts the server.
set -Eeuo pipefail
if [ "${1:-}" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 0700 "$PGDATA"
  [ -z "${POSTGRES_PASSWORD_FILE:-}" ] || POSTGRES_PASSWORD=$(< "$POSTGRES_PASSWORD_FILE")
  export PGPASSWORD=${POSTGRES_PASSWORD:?POSTGRES_PASSWORD is not set} PGHOST=/var/run/postgresql
  initdb --username="${POSTGRES_USER:-postgres}" --pwfile=<(printf '%s\n' "$PGPASSWORD") -D "$PGDATA"
  printf '\nhost all all all scram-sha-256\nhost replication all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  printf "listen_addresses = '*'\nunix_socket_directories = '/var/run/postgresql'\n" >> "$PGDATA/postgresql.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  for script in /docker-entrypoint-initdb.d/*; do
    if [ -x "$script" ]; then "$script"; else . "$script"; fi
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD PGHOST
fi
exec "$@"
