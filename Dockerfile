# agentform with git, for pipelines that run in containers: docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/project" agentform plan
# With `docker run --init`, Ctrl-C also ends a run that is busy computing.
FROM node:22-slim AS package
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && npm pack --silent

FROM node:22-slim
# git: records on a branch, the commit that was applied, plans against a base commit.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/* \
  && git config --system --add safe.directory /project
COPY --from=package /build/agentform-*.tgz /tmp/agentform.tgz
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/agentform.tgz && npm cache clean --force
USER node
WORKDIR /project
ENTRYPOINT ["agentform"]
