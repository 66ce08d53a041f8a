#!/usr/bin/env bash
# Adds a profile to COMPOSE_PROFILES in .env, or removes one.
#   deploy/compose/profile.sh add backup
#   deploy/compose/profile.sh remove observe
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. deploy/compose/settings.sh

usage() { echo 'Usage: deploy/compose/profile.sh add|remove <profile>' >&2; exit 2; }

[ $# -eq 2 ] || usage
known=$(sed -nE 's/^    profiles: \[(.*)\]$/\1/p' docker-compose.yml | tr ', ' '\n\n' | sort -u | grep .)
grep -qxF -- "$2" <<< "$known" || { echo "There is no profile $2. Profiles: $(tr '\n' ' ' <<< "$known")" >&2; exit 2; }
[ -f .env ] || { echo 'There is no .env. Run "npm run compose:secrets" first.' >&2; exit 1; }

before=$(unset COMPOSE_PROFILES; setting COMPOSE_PROFILES)
others=$(tr ',' '\n' <<< "$before" | tr -d '[:blank:]' | grep -vxF -- "$2" | grep . || true)
case "$1" in
  add) profiles=$(printf '%s\n%s\n' "$others" "$2" | grep .) ;;
  remove) profiles=$others ;;
  *) usage ;;
esac
set_setting COMPOSE_PROFILES "$(paste --serial --delimiters , <<< "$profiles")"
grep '^COMPOSE_PROFILES=' .env
