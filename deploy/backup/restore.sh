#!/usr/bin/env bash
# Restores a backup of backup.sh, with PostgreSQL's own image of the same major version.
#
#   restore.sh                            to the end of the log
#   restore.sh '2026-01-31 13:37:00+00'   to this time, with a numeric zone
#
# BACKUP_FOLDER is the folder of backup.sh, which is only read. PGDATA is the new, empty data folder. BACKUP_COPY
# selects a copy; the default is the newest one that started before the time. Leaves a recovered, stopped server.
set -euo pipefail

folder="${BACKUP_FOLDER:?must name the folder with the backups}"
data="${PGDATA:?must name the new data folder}"
until="${1:-}"

fail() { echo "$1" >&2; exit 1; }

[[ -z "$(ls -A "$data" 2>/dev/null || true)" ]] || fail "$data is not empty. Move its content elsewhere."

# PostgreSQL takes an unreadable segment for the end of the log, and would serve without the rest.
for part in "$folder"/wal/*; do [[ -r "$part" ]] || fail "The user $(id -un) cannot read $part."; done

latest="$(date --utc ${until:+--date "$until"} +%Y%m%dT%H%M%SZ)"
copy="${BACKUP_COPY:-}"
if [[ -z "$copy" ]]; then
  for name in $(find "$folder/base" -mindepth 1 -maxdepth 1 -type d -name '20*Z' -printf '%f\n' | sort); do
    [[ "$name" > "$latest" ]] || copy="$name"
  done
fi
[[ -n "$copy" ]] || fail "There is no base backup from before $latest."

echo "copying base backup $copy"
mkdir -p "$data"
cp --archive "$folder/base/$copy/." "$data"
chmod 700 "$data"
touch "$data/recovery.signal"

# pg_receivewal gives the current segment another name.
restore_command="cp '$folder/wal/%f' '%p' 2>/dev/null || cp '$folder/wal/%f.partial' '%p' 2>/dev/null"
log="$data/restore.log"
sockets="$(mktemp -d)"
settings=(-c "restore_command=$restore_command" -c archive_mode=off -c listen_addresses= -c port=5432)
settings+=(-c "unix_socket_directories=$sockets" -c logging_collector=off)
[[ -z "$until" ]] || settings+=(-c "recovery_target_time=$until" -c recovery_target_action=promote)

echo "replaying WAL ${until:+until $until}"
postgres -D "$data" "${settings[@]}" >"$log" 2>&1 &
server=$!
is_recovered() {
  [[ "$(psql --no-psqlrc --quiet --tuples-only --no-align --host "$sockets" --port 5432 \
    --username "${POSTGRES_USER:-postgres}" --dbname postgres \
    --command "select pg_is_in_recovery()" 2>/dev/null)" == f ]]
}
until is_recovered; do
  kill -0 "$server" 2>/dev/null || { tail -n 15 "$log" >&2; fail 'Recovery failed. Do not use the data folder.'; }
  sleep 1
done
grep -E 'last completed transaction|recovery stopping' "$log" || true
kill -INT "$server"
wait "$server" || true
rm -rf "$sockets" "$log"
echo "restored to $data"
