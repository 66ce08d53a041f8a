#!/usr/bin/env bash
# Packs a chart with what it depends on, pushes it to a registry, and signs it.
#   deploy/helm/publish.sh oci://registry.example.org/saleschannel/charts services/tasks
# REGISTRY_USER and REGISTRY_TOKEN may write there. Helm is the one that npm brings. cosign must be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

registry=${1:?the registry}
chart=deploy/helm/${2:?the folder of a chart}
helm=$(npx node deploy/helm/helm-path.ts)
host=${registry#oci://}
archives=$(mktemp -d)
trap 'rm -r "$archives"' EXIT

# A chart that is already there, from a run that was broken off, is pushed again.
"$helm" dependency build "$chart" > /dev/null
"$helm" package "$chart" --destination "$archives"
"$helm" registry login "${host%%/*}" --username "${REGISTRY_USER:?}" --password-stdin <<< "${REGISTRY_TOKEN:?}"
"$helm" push "$archives"/*.tgz "$registry" 2>&1 | tee "$archives/pushed"
digest=$(sed -n 's/^Digest: //p' "$archives/pushed")
cosign sign --yes "$host/$(basename "$chart")@${digest:?no digest of the chart}"
