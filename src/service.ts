import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "./app.ts";
import type { Config, TokenConfig } from "./config.ts";
import { connectionsOfMigrate, runMigrations } from "./database/migrations.ts";
import { createPool } from "./database/pool.ts";
import { developmentAudience, issuerAt } from "./development/access-token.ts";
import { fillDemoBuilding } from "./development/demo-building.ts";
import { originAt } from "./development/origin.ts";
import { people } from "./development/people.ts";
import { startEmbeddedPostgres } from "./embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE } from "./embedded/database.ts";
import { readRuleCatalogue } from "./errors/catalogue.ts";
import { createSchema } from "./graphql/schema/schema.ts";
import { createHttpServer } from "./http/server.ts";
import type { Logger } from "./log.ts";
import { checkDatabase } from "./rest/check.ts";
import { routes } from "./rest/routes.ts";
import { createTokenVerifier } from "./tokens/verifier.ts";

export interface Service {
  /** Where it answers, such as http://127.0.0.1:3000 */
  readonly origin: string;
  /** Lets running requests end, then lets go of everything. Harmless when called twice. */
  stop(): Promise<void>;
}

/** How long running requests may take to end when the service is stopped. */
const GRACE_MS = 10_000;

/** Starts everything in the order in which it is needed; what was started is stopped in reverse. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  await using started = new AsyncDisposableStack();

  const databaseUrl = config.databaseUrl ?? (await startDatabase(config, logger, started));
  const pool = started.adopt(createPool(databaseUrl, logger), (it) => it.end());
  const summaries = await checkDatabase(pool, routes);
  const rules = await readRuleCatalogue(pool);
  const schema = await createSchema(pool);

  // The issuer needs the port that listening gives; requests of the meantime wait for the app.
  const { promise: app, resolve: serve } = Promise.withResolvers<RequestListener>();
  const server = createHttpServer(async (request, response) => (await app)(request, response));
  server.listen(config.port, config.host);
  await once(server, "listening");
  let isStopping = false;
  started.defer(() => {
    isStopping = true;
    return close(server);
  });

  const { address, port } = server.address() as AddressInfo;
  const origin = originAt(address, port);
  const identityProvider = config.tokens ? undefined : await developmentProvider(config, origin);
  const tokenConfig: TokenConfig = config.tokens ?? {
    issuer: issuerAt(origin),
    audience: developmentAudience,
  };
  const koa = createApp({
    basePath: config.basePath,
    pool,
    rules,
    summaries,
    tokens: createTokenVerifier(tokenConfig),
    logger,
    rateLimits: config.rateLimits,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    isStopping: () => isStopping,
    graphql: {
      schema: async () => schema,
      introspection: config.graphqlIntrospection,
      graphiql: !config.production,
    },
    identityProvider: identityProvider?.middleware,
  });
  serve(koa.callback());

  const everything = started.move();
  let stopped: Promise<void> | undefined;
  return { origin, stop: () => (stopped ??= everything.disposeAsync()) };
}

/** The embedded PostgreSQL, migrated, with the demo building in it the first time. */
async function startDatabase(
  { dataDir }: Config,
  logger: Logger,
  started: AsyncDisposableStack,
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  started.defer(() => postgres.stop());
  await createDatabase(postgres, EMBEDDED_DATABASE);
  const owner = postgres.url("parking_owner", EMBEDDED_DATABASE);
  const api = postgres.url("parking_api", EMBEDDED_DATABASE);
  await runMigrations(owner, logger);
  const released = connectionsOfMigrate();
  started.defer(() => released);
  await fillDemoBuilding({ owner, api });
  return api;
}

async function developmentProvider({ dataDir }: Config, origin: string) {
  // Loaded where it is used: a service in production has no part of it in memory.
  const { createIdentityProvider } = await import("./development/identity-provider.ts");
  return createIdentityProvider({
    origin,
    audience: developmentAudience,
    dataDir,
    people: Object.values(people),
  });
}

/** Takes no new connection, lets requests end, and does not wait for them for ever. */
async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const patience = new AbortController();
  await Promise.race([
    closed.then(() => patience.abort()),
    sleep(GRACE_MS, undefined, { signal: patience.signal }).then(
      () => server.closeAllConnections(),
      () => {},
    ),
  ]);
}
