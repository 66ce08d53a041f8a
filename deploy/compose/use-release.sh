#!/usr/bin/env bash
# Makes Compose use released images: writes their registry and versions to .env.
#   deploy/compose/use-release.sh registry.example.org/saleschannel                the versions of this checkout
#   deploy/compose/use-release.sh registry.example.org/saleschannel versions.env   the versions of a release file
# A release publishes versions.env with digests, because tags can move.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. deploy/compose/settings.sh

fail() { echo "$*" >&2; exit 1; }

[ $# -eq 1 ] || [ $# -eq 2 ] || { sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2; }
registry=$1
versions=${2:-deploy/compose/versions.env}
[[ "$registry" =~ ^[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)*$ ]] || fail "$registry must be a registry with a path."
# A name without a dot or port would be at Docker Hub, where anyone could own it.
[[ "${registry%%/*}" =~ [.:] || "$registry" = localhost/* ]] \
  || fail "$registry must begin with a host, such as example.org."
[ -f .env ] || fail 'There is no .env. Run "npm run compose:secrets" first.'

lines=$(grep -vE '^(#|$)' "$versions") || fail "$versions contains no versions."
known=$(grep -oE '[A-Z_]+_VERSION' deploy/compose/versions.env | sort)
while read -r line; do
  [[ "$line" =~ ^[A-Z_]+_VERSION=[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.-]*(@sha256:[0-9a-f]{64})?$ ]] \
    || fail "$versions: \"$line\" is not a version."
done <<< "$lines"
# A missing image would be built from this checkout.
[ "$(cut -d= -f1 <<< "$lines" | sort)" = "$known" ] \
  || fail "$versions must name each program of this checkout exactly once."

set_setting IMAGE_REGISTRY "$registry"
set_setting IMAGE_PULL_POLICY missing
while IFS='=' read -r name value; do set_setting "$name" "$value"; done <<< "$lines"
echo "Compose uses the images of $registry. Next: docker compose pull, then deploy/compose/roll.sh"
