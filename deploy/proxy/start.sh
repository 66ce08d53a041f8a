#!/bin/sh
# Starts nginx with the names of the sites, and reloads it after a change of certificates.
# Reads API_HOST and PORTAL_URL.
set -eu

: "${API_HOST:?is not set. It is the host name by which clients reach the API.}"
: "${PORTAL_URL:?is not set. It is the URL by which browsers reach the portal.}"
portal=${PORTAL_URL#*://}
portal=${portal%%[:/]*}
settings=/tmp/nginx.conf
sed -e "s/server_name API_HOST;/server_name $API_HOST;/" -e "s/server_name PORTAL_HOST;/server_name $portal;/" \
  "$(dirname "$0")/nginx.conf" > "$settings"

certificates() { cat /certificates/*.crt /certificates/*.key | cksum; }

# With an invalid certificate nginx keeps the current ones and logs an error.
follow() {
  known=$(certificates)
  while sleep 60; do
    now=$(certificates)
    [ "$now" != "$known" ] || continue
    known=$now
    nginx -e stderr -c "$settings" -s reload
  done
}
follow &
exec nginx -e stderr -c "$settings" -g 'daemon off;'
