#!/usr/bin/env bash
# Restores a Compose installation from the backups of the profile "backup", and opens it when all checks pass.
#   deploy/compose/restore.sh data                            stops everything and restores to the end of the WAL
#   deploy/compose/restore.sh data '2026-01-31 13:37:00+00'   the same, up to this time
#   deploy/compose/restore.sh check                           starts the services behind the gateway, reconciles, audits
#   deploy/compose/restore.sh open                            the same, then opens the gateway and backs up again
# "data" keeps the previous data folder beside the new one. Until "open" you can repeat it with another time.
# COMPOSE and DOCKER are the commands to call (docker compose, docker).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. deploy/compose/plan.sh
. deploy/compose/settings.sh

read -ra compose <<< "${COMPOSE:-docker compose}"
docker=${DOCKER:-docker}
now=$(date --utc +%Y%m%dT%H%M%SZ)

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
fail() { echo "$*" >&2; exit 1; }
usage() { sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }

profiles=$(setting COMPOSE_PROFILES) || exit 1
has_profile() { grep -qxF -- "$1" <<< "$(tr ',' '\n' <<< "$profiles" | tr -d '[:blank:]')"; }

# "config --services" of docker-compose 1.29 ignores profiles, so the names come from the plan.
replicas() { # <service> …
  local name
  for name; do
    echo "$name"
    ! has_profile production || echo "$name-2"
  done
}
seconds() { printf '%s-2\n' "$@"; }

apart=("${EDGES[@]}" $(seconds "${EDGES[@]}"))
closed=''
if hosts_all; then
  # "check" starts the process without services for clients, and "open" recreates it with all.
  closed=$(IFS=,; echo "${BEHIND_GATEWAY[*]}")
  BEHIND_GATEWAY=(all-in-one) EDGES=(all-in-one) apart=()
fi

behind=($(replicas "${BEHIND_GATEWAY[@]}"))
opened=($(replicas "${EDGES[@]}"))
! has_profile production || opened+=(proxy)
# Services of all profiles.
let_in=(proxy "${apart[@]}" "${BY_HAND[@]}")
everything=("${let_in[@]}" "${BEHIND_GATEWAY[@]}" $(seconds "${BEHIND_GATEWAY[@]}") backup rabbitmq postgres)

is_running() { # <service>
  local id
  for id in $("${compose[@]}" ps -q "$1"); do
    [ "$("$docker" inspect --format '{{.State.Running}}' "$id")" != true ] || return 0
  done
  return 1
}

expect_closed() {
  local name
  for name in "${let_in[@]}"; do
    ! is_running "$name" || fail "$name is running, so clients can reach a system that is not checked. Stop it first."
  done
}

restore_data() { # [moment]
  if [ $# -gt 0 ]; then
    [[ "$1" =~ ^[0-9-]+[\ T][0-9:.]+[+-][0-9]{2}(:?[0-9]{2})?$ ]] \
      || fail "The time must have a numeric UTC offset, such as '2026-01-31 13:37:00+00'."
    local at
    at=$(date --date "$1" +%s) || fail "$1 is not a valid time."
    [ "$at" -lt "$(date +%s)" ] || fail "$1 is in the future."
  fi
  say 'stopping all services'
  "${compose[@]}" stop "${everything[@]}"
  say 'moving the previous data aside'
  "${compose[@]}" run --rm -T --no-deps --entrypoint bash postgres -c \
    "if [ -e \"\$PGDATA\" ]; then mv \"\$PGDATA\" \"\$PGDATA-before-$now\"; fi; mkdir -p \"\$PGDATA\""
  say "restoring to ${1:-the end of the WAL}"
  "${compose[@]}" run --rm -T --no-deps restore "$@"
  # Its messages are newer than the restored data. Users and queues are created again from the secrets.
  say 'emptying the broker'
  "${compose[@]}" run --rm -T --no-deps --entrypoint sh rabbitmq -c \
    'find /var/lib/rabbitmq -mindepth 1 ! -name .erlang.cookie -delete'
  if [ $# -gt 0 ]; then
    # Trails no longer contain the heads recorded after that time. The previous file stays.
    set_setting AUDITOR_ANCHORS "heads-from-$now.jsonl"
    say "the auditor starts a new file, heads-from-$now.jsonl"
  fi
  say 'restored. Next: deploy/compose/restore.sh check, then open'
}

check() {
  expect_closed
  say "starting ${behind[*]}"
  ALL_IN_ONE_SERVICES=$closed "${compose[@]}" up --detach "${behind[@]}"
  say 'reconciling'
  "${compose[@]}" run --rm -T admin reconcile --wait \
    || fail 'The reconciliation did not complete. Gateway and portal stay closed.'
  say 'auditing'
  "${compose[@]}" run --rm -T auditor || fail 'The audit failed. Gateway and portal stay closed.'
  expect_closed
}

open() {
  if has_profile backup && ! is_running backup; then
    # The previous WAL does not lead to the restored state.
    set_setting BACKUP_FOLDER "backup-from-$now"
    say "starting backups in the new folder backup-from-$now"
    "${compose[@]}" up --detach --no-deps backup
  fi
  say "opening ${opened[*]}"
  "${compose[@]}" up --detach "${opened[@]}"
}

case "${1:-}" in
  data) [ $# -le 2 ] || usage; shift; restore_data "$@" ;;
  check) [ $# -eq 1 ] || usage; check; say 'All checks passed. Next: deploy/compose/restore.sh open' ;;
  open) [ $# -eq 1 ] || usage; check; open ;;
  *) usage ;;
esac
