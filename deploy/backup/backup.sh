#!/usr/bin/env bash
# Backs up a PostgreSQL server with the programs of its own image: pg_receivewal stores the write-ahead log
# continuously, and pg_basebackup copies the server from time to time. Together they restore any moment since the oldest
# copy.
#
#   backup.sh          keeps backing up
#   backup.sh check    exits with 1 if the last good backup is too old, or the log is not being received
#
# PGHOST, PGPORT, PGUSER, PGPASSWORD or PGPASSWORD_FILE name the server and a role that may replicate.
#   BACKUP_FOLDER          base/<time>/ are data folders, wal/ is the log, metrics/backup.prom the metrics
#   BACKUP_EVERY_SECONDS   between two copies (a day)
#   BACKUP_KEEP            number of copies, with the log since the oldest (7)
#   BACKUP_SLOT_KEEPS      log that the server keeps while this job is down; after more, the job starts over
#   OTEL_EXPORTER_OTLP_ENDPOINT   http://host:port of a collector that also gets the metrics
set -euo pipefail

folder="${BACKUP_FOLDER:?must name the folder for backups}"
every="${BACKUP_EVERY_SECONDS:-86400}"
keep="${BACKUP_KEEP:-7}"
slot=saleschannel_backup
tick_seconds="${BACKUP_TICK_SECONDS:-15}"
retry_seconds=60
receiver=

if [[ -n "${PGPASSWORD_FILE:-}" ]]; then
  PGPASSWORD="$(<"$PGPASSWORD_FILE")"
  export PGPASSWORD
fi
export PGAPPNAME=saleschannel_backup PGCONNECT_TIMEOUT=10

say() {
  printf '{"level":"%s","time":"%(%Y-%m-%dT%H:%M:%SZ)T","service":"backup","msg":"%s"}\n' "$1" -1 "$2"
}

# A copy is named after its start time. A name with a leading dot is unfinished.
copies() { find "$folder/base" -mindepth 1 -maxdepth 1 -type d -name '20*Z' -printf '%f\n' 2>/dev/null | sort; }
newest() { copies | tail -n 1; }
seconds_of() { date --utc --date "${1:0:4}-${1:4:2}-${1:6:2} ${1:9:2}:${1:11:2}:${1:13:2}" +%s; }
sql() { psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname postgres --command "$1"; }
is_receiving() { [[ -n "$receiver" ]] && kill -0 "$receiver" 2>/dev/null; }

start_receiver() {
  # Without a limit, the kept log would fill the disk while this job is down.
  sql "alter system set max_slot_wal_keep_size = '${BACKUP_SLOT_KEEPS:-8GB}'" || return 1
  sql 'select pg_reload_conf()' >/dev/null || return 1
  if [[ "$(sql "select wal_status from pg_replication_slots where slot_name = '$slot'")" == lost ]]; then
    say error 'the server has dropped WAL that was not received: starting over with a new base backup'
    sql "select pg_drop_replication_slot('$slot')" >/dev/null || return 1
    mv "$folder/wal" "$folder/wal-until-$(date --utc +%Y%m%dT%H%M%SZ)"
    is_due_now=yes
  fi
  mkdir -p "$folder/wal"
  pg_receivewal --no-password --slot "$slot" --create-slot --if-not-exists || return 1
  pg_receivewal --no-password --no-loop --directory "$folder/wal" --slot "$slot" --synchronous &
  receiver=$!
}

is_due() {
  local last
  last="$(newest)"
  [[ -n "$is_due_now" || -z "$last" ]] || (($(date +%s) - $(seconds_of "$last") >= every))
}

make_copy() {
  local name
  name="$(date --utc +%Y%m%dT%H%M%SZ)"
  rm -rf "$folder/base/.unfinished"
  mkdir -p "$folder/base"
  pg_basebackup --no-password --pgdata "$folder/base/.unfinished" --checkpoint fast --wal-method stream || return 1
  # Checks every file against the server's manifest.
  pg_verifybackup --quiet "$folder/base/.unfinished" || return 1
  sync --file-system "$folder"
  mv "$folder/base/.unfinished" "$folder/base/$name"
  is_due_now=
  say info "base backup $name is complete"
}

# Removes the oldest copies, and the log that no copy needs.
remove_old() {
  local name oldest first until
  for name in $(copies | head -n "-$keep"); do rm -rf "${folder:?}/base/$name"; done
  oldest="$(copies | head -n 1)"
  [[ -n "$oldest" ]] || return 0
  first="$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\)).*/\1/p' "$folder/base/$oldest/backup_label")"
  [[ -z "$first" ]] || pg_archivecleanup "$folder/wal" "$first"
  for until in $(find "$folder" -maxdepth 1 -name 'wal-until-*' -printf '%f\n'); do
    [[ "${until#wal-until-}" > "$oldest" ]] || rm -rf "${folder:?}/$until"
  done
}

metric_lines() {
  local last up=0
  last="$(newest)"
  [[ -z "$last" ]] || echo "saleschannel_backup_last_success_timestamp_seconds $(seconds_of "$last")"
  if is_receiving; then up=1; fi
  echo "saleschannel_backup_wal_receiver_up $up"
  echo "saleschannel_backup_copies $(copies | wc -l)"
}

write_metrics() {
  mkdir -p "$folder/metrics"
  metric_lines | sed 's/^\([a-z_]*\) .*/# TYPE \1 gauge\n&/' >"$folder/metrics/.backup.prom"
  mv "$folder/metrics/.backup.prom" "$folder/metrics/backup.prom"
  [[ -z "${OTEL_EXPORTER_OTLP_ENDPOINT:-}" ]] || push_metrics || say warn 'the collector does not accept metrics'
}

# OTLP as JSON over HTTP, which needs only the shell.
push_metrics() {
  local name value now point metrics= body host port answer
  now="$(date +%s%N)"
  while read -r name value; do
    point="{\"timeUnixNano\":\"$now\",\"asDouble\":$value}"
    metrics+="${metrics:+,}{\"name\":\"$name\",\"gauge\":{\"dataPoints\":[$point]}}"
  done < <(metric_lines)
  body='{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"backup"}}]},'
  body+="\"scopeMetrics\":[{\"scope\":{\"name\":\"saleschannel-backup\"},\"metrics\":[$metrics]}]}]}"
  [[ "$OTEL_EXPORTER_OTLP_ENDPOINT" =~ ^http://([^:/]+):([0-9]+)/?$ ]] || return 1
  host="${BASH_REMATCH[1]}" port="${BASH_REMATCH[2]}"
  answer="$(
    exec 2>/dev/null 3<>"/dev/tcp/$host/$port" || exit 1
    printf 'POST /v1/metrics HTTP/1.1\r\nHost: %s:%s\r\nContent-Type: application/json\r\n' "$host" "$port" >&3
    printf 'Content-Length: %s\r\nConnection: close\r\n\r\n%s' "${#body}" "$body" >&3
    read -r -t 5 line <&3 && printf '%s' "$line"
  )" || return 1
  [[ "$answer" == *' 200 '* ]]
}

check() {
  local file="$folder/metrics/backup.prom" last
  last="$(sed -n 's/^saleschannel_backup_last_success_timestamp_seconds //p' "$file")"
  grep -qx 'saleschannel_backup_wal_receiver_up 1' "$file"
  (($(date +%s) - last < 2 * every))
  # True if a running job wrote the file.
  (($(date +%s) - $(stat --format %Y "$file") < 4 * tick_seconds + retry_seconds))
}

stop() {
  # The receiver, a running copy, and the pause.
  kill $(jobs -p) 2>/dev/null || true
  wait || true
  exit 0
}

run() {
  local not_before=0
  is_due_now=
  trap stop TERM INT
  mkdir -p "$folder"
  chmod 700 "$folder"
  while :; do
    if ! is_receiving; then
      [[ -z "$receiver" ]] || say warn 'WAL is not being received'
      start_receiver || say error 'the WAL receiver cannot start'
    fi
    if is_due && (($(date +%s) >= not_before)); then
      if make_copy; then
        remove_old || say error 'old base backups could not be removed'
      else
        say error 'the base backup failed'
        not_before=$(($(date +%s) + retry_seconds))
      fi
    fi
    write_metrics
    # In the background, so that a signal interrupts it.
    sleep "$tick_seconds" &
    wait $! || true
  done
}

case "${1:-run}" in
  run) run ;;
  check) check ;;
  *) echo "Usage: backup.sh [check]" >&2; exit 2 ;;
esac
