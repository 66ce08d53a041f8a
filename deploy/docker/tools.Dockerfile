# What makes the secrets of an installation, for machines that have Docker and no checkout with its dependencies:
#   docker build -f deploy/docker/tools.Dockerfile -t saleschannel/tools .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" saleschannel/tools \
#     deploy/compose/generate-secrets.ts --folder /work
# It is no part of an installation: nothing runs in it for longer than that.
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
RUN node deploy/docker/keep-manifests.ts

# Without optional dependencies: they are databases for tests and another Node.
FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="saleschannel/tools" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev --omit=optional -w @saleschannel/installation --ignore-scripts --prefer-offline
COPY libs libs
COPY apps apps
COPY protos protos
COPY deploy/installation/src deploy/installation/src
COPY deploy/compose/generate-secrets.ts deploy/compose/generate-secrets.ts
COPY deploy/helm/generate-secrets.ts deploy/helm/generate-secrets.ts
USER 1000:1000
ENTRYPOINT ["node"]
CMD ["deploy/helm/generate-secrets.ts"]
