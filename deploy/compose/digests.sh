#!/usr/bin/env bash
# Prints the versions of this checkout's images with their digests in a registry, for deploy/compose/use-release.sh.
# Fails if an image is missing.
#   deploy/compose/digests.sh registry.example.org/saleschannel > versions.env
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

registry=${1:?must be the registry}
docker=${DOCKER:-docker}
while IFS='=' read -r name version; do
  image=$(tr 'A-Z_' 'a-z-' <<< "${name%_VERSION}")
  digest=$("$docker" buildx imagetools inspect "$registry/$image:$version" --format '{{.Manifest.Digest}}')
  [[ "$digest" =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "The registry has no digest for $image:$version." >&2; exit 1; }
  echo "$name=$version@$digest"
done < <(grep _VERSION= deploy/compose/versions.env)
