#!/usr/bin/env bash
# Packs a chart with its dependencies, pushes it to a registry, and signs it.
#   deploy/helm/publish.sh oci://registry.example.org/saleschannel/charts services/tasks
# Needs REGISTRY_USER and REGISTRY_TOKEN, "npm ci" for Helm, and cosign.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

registry=${1:?must be the registry}
chart=deploy/helm/${2:?must be the folder of a chart}
helm=$(npx node deploy/helm/helm-path.ts)
host=${registry#oci://}
archives=$(mktemp -d)
trap 'rm -r "$archives"' EXIT

# Safe to repeat: replaces a chart that an aborted run pushed.
"$helm" dependency build "$chart" > /dev/null
"$helm" package "$chart" --destination "$archives"
"$helm" registry login "${host%%/*}" --username "${REGISTRY_USER:?}" --password-stdin <<< "${REGISTRY_TOKEN:?}"
"$helm" push "$archives"/*.tgz "$registry" 2>&1 | tee "$archives/pushed"
digest=$(sed -n 's/^Digest: //p' "$archives/pushed")
cosign sign --yes "$host/$(basename "$chart")@${digest:?is empty: helm printed no digest of the chart}"
