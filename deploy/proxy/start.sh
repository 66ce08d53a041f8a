#!/bin/sh
# start.sh: nginx with the names of the sites in its settings, and with new certificates soon after they are there.
# Reads API_HOST and PORTAL_URL.
set -eu

: "${API_HOST:?is not set: by which name clients reach the API}"
: "${PORTAL_URL:?is not set: by which address browsers reach the portal}"
portal=${PORTAL_URL#*://}
portal=${portal%%[:/]*}
settings=/tmp/nginx.conf
sed -e "s/server_name API_HOST;/server_name $API_HOST;/" -e "s/server_name PORTAL_HOST;/server_name $portal;/" \
  "$(dirname "$0")/nginx.conf" > "$settings"

certificates() { cat /certificates/*.crt /certificates/*.key | cksum; }

# A certificate that nginx cannot use changes nothing: it goes on with those that it has, and says so.
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
