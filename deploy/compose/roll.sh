#!/usr/bin/env bash
# Recreates containers without downtime: one of each pair at a time, each after the previous one is healthy.
#   deploy/compose/roll.sh                     all services, after their migrations: an upgrade, or new settings
#   deploy/compose/roll.sh tasks gateway       these services, without migrations
# Needs the profile "production", which has pairs. COMPOSE is the command to call (docker compose). Stops at the first
# container that does not become healthy; the other one of its pair keeps running unchanged.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. deploy/compose/plan.sh
. deploy/compose/settings.sh

read -ra compose <<< "${COMPOSE:-docker compose}"
docker=${DOCKER:-docker}
# Callers resolve names every five seconds. Waits until all have found the new container.
FOUND_SECONDS=${FOUND_SECONDS:-10}
HEALTHY_SECONDS=120

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }

# "config --services" of docker-compose 1.29 ignores profiles.
profiles=$(setting COMPOSE_PROFILES) || exit 1
grep -qxF production <<< "$(tr ',' '\n' <<< "$profiles" | tr -d '[:blank:]')" \
  || { say 'The profile production is not active, so no second replica can serve requests meanwhile.'; exit 1; }
all=$("${compose[@]}" config --services)
is_there() { grep -qx -- "$1" <<< "$all"; }

health() { "$docker" inspect --format '{{.State.Health.Status}}' "$1" 2> /dev/null || echo gone; }

wait_for() { # <name in docker-compose.yml>
  local id until=$((SECONDS + HEALTHY_SECONDS))
  id=$("${compose[@]}" ps -q "$1")
  until [ "$(health "$id")" = healthy ]; do
    [ "$SECONDS" -lt "$until" ] || { say "$1 is not healthy. See its log: ${compose[*]} logs $1"; exit 1; }
    sleep 1
  done
}

recreate() { # <name in docker-compose.yml>
  "${compose[@]}" up --detach --no-deps --force-recreate "$1" > /dev/null 2>&1 \
    || { say "$1 cannot be recreated."; exit 1; }
  wait_for "$1"
  say "$1 is healthy"
}

if [ $# -eq 0 ]; then
  services=("${BEHIND_GATEWAY[@]}" "${EDGES[@]}")
  ! hosts_all || services=(all-in-one)
  for name in "${services[@]}"; do
    is_there "migrate-$name" || continue
    "${compose[@]}" run --rm --no-deps -T "migrate-$name" > /dev/null
    say "migrate-$name completed"
  done
else
  services=("$@")
fi

for name in "${services[@]}"; do
  is_there "$name-2" || { say "There is no service $name-2."; exit 1; }
  # It must serve alone while the second is recreated.
  wait_for "$name"
  recreate "$name-2"
  sleep "$FOUND_SECONDS"
  recreate "$name"
  sleep "$FOUND_SECONDS"
done
