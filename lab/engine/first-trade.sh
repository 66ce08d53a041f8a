#!/usr/bin/env bash
# first-trade.sh <command that runs admin …>: from an empty installation to a trade in the event log, through the API.
# Reads API, CA (the authority of its certificate) and ISSUER. Writes the variables of deploy/compose/probe.ts to SAVE.
set -euo pipefail
admin=("$@")

json() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
key() { node -p "(({ id, secret }) => id + ':' + secret)(JSON.parse(require('fs').readFileSync(0)))"; }
ask() { # <key> <path> [curl options]
  local answer
  answer=$(curl --silent --show-error --fail-with-body --cacert "$CA" --user "$1" \
    --header 'content-type: application/json' "$API/$2" "${@:3}") || { echo "$2: $answer" >&2; return 1; }
  printf '%s' "$answer"
}
registry() { ask "$REGISTRY_KEY" "Registry/api/$1" "${@:2}"; }
channel() { ask "$KEY" "saleschannel-services/v1/$1" "${@:2}"; }

run=$RANDOM$RANDOM
CHANNEL=$("${admin[@]}" create-sales-channel --name "Nordic Removals $run" | json id)
HOLDER=$("${admin[@]}" create-account-holder --name 'Biochar Oy' --business-id "FI-$run" \
  --postal-code 00100 --city Helsinki --country FI --street1 'Katu 1' | json accountHolderId)
"${admin[@]}" set-kind "$HOLDER" REGISTRY > /dev/null
REGISTRY_KEY=$("${admin[@]}" issue-registry-key --account-holder "$HOLDER" \
  --expires-at "$(date -u -d '300 days' +%FT%TZ)" | key)
"${admin[@]}" assign-roles --issuer "$ISSUER" --subject "carl-$run" --sales-channel "$CHANNEL" --roles all > /dev/null
KEY=$("${admin[@]}" issue-api-key --issuer "$ISSUER" --subject "carl-$run" | key)

registry production-facilities/FIN001 -X PUT > /dev/null -d '{"name": "Works", "country": "FI",
  "methodologyCodes": ["C03000000"], "supplier": "Biochar Oy"}'
PROPOSAL=$(registry trader-onboarding-proposals \
  -d "{\"accountHolderId\": \"$HOLDER\", \"salesChannelId\": \"$CHANNEL\"}" | json id)
SELLER=$(channel "trader-onboarding-proposals/$PROPOSAL/accept" -X POST | json onboardedTraderId)
BUYER=$(channel traders --header "idempotency-key: buyer-$run" -d '{"name": "Buyer GmbH", "businessId": "DE-1",
  "address": {"street": "Weg 1", "zipCode": "20095", "city": "Hamburg", "countryName": "Germany"}}' | json id)
registry issuances > /dev/null -d "{\"issuanceId\": \"$(cat /proc/sys/kernel/random/uuid)\",
  \"productionFacilityCode\": \"FIN001\", \"standard\": \"PURO\", \"registry\": \"DEMO\",
  \"methodologyCode\": \"C03000000\", \"creditType\": \"CORC100+\", \"vintage\": 2025,
  \"productionStartDate\": \"2025-01-01T00:00:00.000Z\", \"productionEndDate\": \"2025-06-30T23:59:59.000Z\",
  \"issuingDate\": \"2025-09-15T08:00:00.000Z\", \"firstSerial\": \"1\", \"lastSerial\": \"1000\",
  \"accountHolderId\": \"$HOLDER\", \"salesChannelId\": \"$CHANNEL\"}"
START=$(channel "traders/$SELLER/inventory" | json 'at(0).start')
TASK=$(channel "traders/$SELLER/inventory/trade" --header "idempotency-key: trade-$run" \
  -d "{\"buyerId\": \"$BUYER\", \"currency\": \"EUR\",
       \"assets\": [{\"start\": \"$START\", \"end\": \"$START\", \"unitPrice\": 149.5}]}" | json taskId)
for _ in $(seq 50); do
  DONE=$(channel "traders/$SELLER/inventory/trade/$TASK")
  [[ $DONE == *PENDING* ]] || break
  sleep 0.2
done
TRANSACTION=$(json responsePayload.id <<< "$DONE")
echo "transaction $TRANSACTION is $(channel "transactions/$TRANSACTION" | json status)"
for _ in $(seq 50); do
  EVENTS=$(channel events)
  [[ $EVENTS != *$TRANSACTION* ]] || { echo 'its event is in the log of the sales channel'; break; }
  sleep 0.2
done
[[ $EVENTS == *$TRANSACTION* ]]
printf '%s\n' "API=$API" "KEY=$KEY" "REGISTRY_KEY=$REGISTRY_KEY" "HOLDER=$HOLDER" "CHANNEL=$CHANNEL" \
  "SELLER=$SELLER" "BUYER=$BUYER" > "$SAVE"
