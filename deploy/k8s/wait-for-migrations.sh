#!/usr/bin/env bash
# Waits until every migration has ended well, and ends at once, with its log, when one has not.
#   wait-for-migrations.sh [namespace]
set -euo pipefail
namespace=${1:-saleschannel}
selector=app.kubernetes.io/component=migration
# A line for each job: its name, then the conditions that hold.
states='{{range .items}}{{.metadata.name}}{{range .status.conditions}}{{if eq .status "True"}} {{.type}}{{end}}{{end}}
{{end}}'

for _ in $(seq 900); do
  jobs=$(kubectl --namespace "$namespace" get jobs --selector "$selector" --output go-template="$states")
  failed=$(awk '/ Failed/ { print $1 }' <<<"$jobs")
  for job in $failed; do
    echo "$job has failed:" >&2
    kubectl --namespace "$namespace" logs "job/$job" --tail=20 >&2 || true
  done
  [[ -z "$failed" ]] || exit 1
  if [[ -n "$jobs" ]] && ! grep -qv ' Complete' <<<"$jobs"; then
    echo 'all migrations are done'
    exit 0
  fi
  sleep 2
done
echo 'the migrations have not ended within 30 minutes' >&2
exit 1
