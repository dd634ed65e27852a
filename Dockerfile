# The service on Node over one SQLite file:
#   docker build -t fieldbell .
#   docker run --env-file fieldbell.env --volume fieldbell:/data --publish 127.0.0.1:8787:8787 fieldbell
# The base by its digest, that of the index of all platforms; no package runs a script of its own while it is installed.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The study console and the participants' page are built with packages that the service does not need.
FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY build build
COPY client client
COPY console console
COPY participant participant
COPY src src
RUN node build/console.mjs && node build/participant.mjs

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8787 \
    FIELDBELL_DB=/data/fieldbell.db \
    NODE_COMPILE_CACHE=/data/.compile-cache
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY migrations migrations
COPY public public
COPY --from=console /app/public/console public/console
COPY --from=console /app/public/p public/p
COPY src src
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
# A stop waits for open requests (at most 10 seconds) and for deliveries under way: docker stop --time 30.
STOPSIGNAL SIGTERM
# 503 when the work of the minute has stopped for good.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/node.ts"]
