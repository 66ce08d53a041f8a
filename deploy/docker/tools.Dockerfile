# Programs that create the secrets of an installation, for machines with Docker and without npm:
#   docker build -f deploy/docker/tools.Dockerfile -t localhost/saleschannel/tools .
#   docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$PWD:/work" localhost/saleschannel/tools \
#     compose-secrets.mjs --folder /work
# Node and a megabyte of scripts. No part of an installation runs in it.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY deploy/installation/package.json deploy/installation/package.json
COPY deploy/local/package.json deploy/local/package.json
COPY tools/codegen/package.json tools/codegen/package.json
COPY deploy/docker/keep-manifests.ts deploy/docker/keep-manifests.ts
COPY libs libs
COPY apps apps
COPY clients clients
COPY lab lab
RUN node deploy/docker/keep-manifests.ts

FROM ${NODE_IMAGE} AS bundle
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev -w @saleschannel/installation -w @saleschannel/web --ignore-scripts --prefer-offline
COPY libs libs
COPY apps apps
COPY protos protos
COPY deploy deploy
RUN node deploy/docker/licences.ts collect packages.json --of @saleschannel/installation \
  && node deploy/docker/bundle-tools.ts ../layer/tools \
  && node deploy/docker/licences.ts write ../layer/tools saleschannel/tools packages.json \
  && chmod -R u=rwX,go=rX ../layer && find ../layer -exec touch --no-dereference --date=1985-10-26T08:15:00Z {} +

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="saleschannel/tools" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
COPY --from=bundle /layer/ /
WORKDIR /tools
USER 1000:1000
ENTRYPOINT ["node"]
CMD ["helm-secrets.mjs"]
