import { once } from "node:events";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Pool } from "pg";
import { createListener } from "./app.ts";
import type { ServiceConfig } from "./config/config.ts";
import { describedRoutes } from "./contract/described.ts";
import { routes } from "./contract/routes.ts";
import { noticeLosses, noticePlain, noticeRoleSettings } from "./database/notices.ts";
import { createHealthPool, createPool, poolOptions } from "./database/pool.ts";
import { waitForDatabase } from "./database/wait-for-database.ts";
import { startEmbeddedPostgres } from "./embedded/cluster.ts";
import { createDatabase, EMBEDDED_DATABASE } from "./embedded/database.ts";
import { identitySecretIn } from "./embedded/identity-secret.ts";
import { readRuleCatalogue } from "./errors/catalogue.ts";
import { OperatorError } from "./errors/operator-error.ts";
import { machineKeys, withKeys } from "./http/authentication.ts";
import { createWatchers } from "./http/health.ts";
import { originAt } from "./http/origin.ts";
import { createHttpServer } from "./http/server.ts";
import { acceptWaiting, stopServer } from "./http/stopping.ts";
import { startKnownJobs } from "./jobs/kinds.ts";
import { mailerOf } from "./jobs/mail.ts";
import type { JobRunner } from "./jobs/runner.ts";
import type { Logger } from "./log/logger.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Pools } from "./metrics/gauges.ts";
import { runMigrations } from "./migrations/run.ts";
import { watchCommits } from "./overload/commits.ts";
import { storePageFiles } from "./pages/other-versions.ts";
import { checkServedDatabase } from "./rest/check.ts";
import { checksOf, noticeZone } from "./rest/checks.ts";
import { createEventStreams, STREAM_CONNECTIONS } from "./rest/events/streams.ts";
import { peopleBySubject } from "./tokens/people.ts";
import { createTokenVerifier, type TokenVerifier } from "./tokens/verifier.ts";

export interface Service {
  /** The origin of the service, such as http://127.0.0.1:3000 */
  readonly origin: string;
  /** The address of the metrics, if the settings ask for them. */
  readonly metricsAddress?: string | undefined;
  /** In development: what a person at the terminal can try. */
  readonly introduction?: string | undefined;
  /** Lets running requests end, then releases everything. Calling it twice is harmless. */
  stop(): Promise<void>;
}

const MINUTE_MS = 60_000;

const REST_CONNECTIONS = 10;
/** In addition to the connections of REST. */
const GRAPHQL_CONNECTIONS = 5;
const JOB_CONNECTIONS = 2;

/**
 * The longest waits of a request. A busy machine, such as one that runs tests, needs more than the
 * usual second.
 */
export interface Patience {
  readonly forConnections?: { readonly connectionTimeoutMillis: number };
  readonly forProcessorMs?: number;
}

/** Starts everything in the order in which it is needed, and stops it in the reverse order. */
export async function startService(
  config: ServiceConfig,
  logger: Logger,
  patience: Patience = {},
): Promise<Service> {
  await using started = new AsyncDisposableStack();

  const options = poolOptions(config, logger);
  const { databaseUrl, identitySecret } = await databaseOf(config, logger, started);
  const healthPool = started.adopt(createHealthPool(databaseUrl, logger), (it) => it.end());
  const commits = watchCommits(healthPool, logger);
  const poolOf = (max: number): Pool => {
    const made = createPool(databaseUrl, logger, {
      ...options,
      ...patience.forConnections,
      commits,
      max,
    });
    return started.adopt(made, (it) => it.end());
  };
  const pool = poolOf(REST_CONNECTIONS);
  noticeRoleSettings(pool, logger);
  noticePlain(pool, databaseUrl, logger);
  await waitForDatabase(pool, logger);
  await noticeLosses(pool, logger);
  await checkServedDatabase(pool, routes);
  await noticeZone(pool, logger);
  const described = await describedRoutes(pool, (warning) => logger.warn(warning));
  const rules = await readRuleCatalogue(pool);
  const graphqlPool = poolOf(GRAPHQL_CONNECTIONS);

  const jobPool = poolOf(JOB_CONNECTIONS);
  let jobs: JobRunner | undefined;
  started.defer(() => jobs?.stop());

  const streamPool = poolOf(STREAM_CONNECTIONS);

  const pools = { rest: pool, graphql: graphqlPool };
  const metrics = await startMetrics(config, { pools, databaseUrl, logger }, started);

  // The issuer's address contains the port, which is known after listen. Until then requests wait
  // for the app.
  const { promise: app, resolve: serve } = Promise.withResolvers<RequestListener>();
  const server = createHttpServer(async (request, response) => (await app)(request, response));
  server.listen(config.port, config.host);
  await once(server, "listening").catch((cause: Error) => {
    throw new OperatorError(`HOST, PORT: ${cause.message}`, { cause });
  });
  let isStopping = false;
  let noticeMs = 0;
  started.defer(async () => {
    // Clients keep their connections during this time; otherwise they would connect again.
    const taken = await acceptWaiting(server);
    isStopping = true;
    await stopServer(server, noticeMs + taken);
  });

  const { address, port } = server.address() as AddressInfo;
  const origin = originAt(address, port);
  const mailer = await mailerOf(config);
  const parts = { origin, pool, identitySecret, mailer, logger };
  const { tokens, development, own } = await signIn(config, parts);
  if (own) started.adopt(own, (it) => it.stop());
  metrics?.watchSignIns(own?.counts ?? new Map());
  const web = development?.web ?? config.web;
  const people = await peopleBySubject(pool);
  const verifier = createTokenVerifier({ ...tokens, keys: own?.keys, people, logger });
  if (verifier.keyFetches) metrics?.watchKeys(verifier.keyFetches);
  const keys = machineKeys(pool, logger);
  const streams = createEventStreams({
    pool: streamPool,
    tokens: withKeys(verifier, keys),
    logger,
  });
  metrics?.watchStreams(streams);
  const watchers = createWatchers();
  const listener = createListener({
    basePath: config.basePath,
    pool,
    healthPool,
    rules,
    checks: checksOf(pool, development !== undefined),
    routes: described,
    tokens: verifier,
    keys,
    logger,
    rateLimits: config.rateLimits,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    isStopping: () => isStopping,
    watchers,
    patienceMs: patience.forProcessorMs,
    metrics,
    graphql: {
      pool: graphqlPool,
      schema: async () => {
        const { createSchema } = await import("./graphql/schema/schema.ts");
        return createSchema(graphqlPool, described);
      },
      introspection: config.graphqlIntrospection,
    },
    streams,
    web: web && { ...web, issuer: tokens.issuer, basePath: config.basePath },
    identity: development?.middleware ?? own?.middleware,
    signInEntries: own?.entries,
    development,
  });
  serve(listener);
  if (config.jobs === "on") {
    const isDevelopment = development !== undefined;
    const { pushContact } = config;
    const sends = mailer ?? development?.mails;
    jobs = startKnownJobs({ pool: jobPool, logger, mailer: sends, pushContact, isDevelopment });
  }
  if (!development) started.adopt(keepKeysFresh(verifier), clearInterval);
  // From the beginning of a stop, no more jobs are taken. A later step waits for running jobs.
  started.defer(() => void jobs?.stop());
  started.adopt(streams, (it) => it.stop());
  // This comes first, so that clients that reconnect, such as streams, reach another process.
  started.defer(async () => {
    noticeMs = await watchers.announceStop();
  });

  const everything = started.move();
  let stopped: Promise<void> | undefined;
  return {
    origin,
    metricsAddress: metrics?.address,
    introduction: development?.introduction,
    stop: () => (stopped ??= everything.disposeAsync()),
  };
}

interface MetricsSources {
  readonly pools: Pools;
  readonly databaseUrl: string;
  readonly logger: Logger;
}

/** The metrics and their listener, loaded only here: a service without them pays nothing. */
async function startMetrics(
  { admin, basePath }: ServiceConfig,
  { pools, databaseUrl, logger }: MetricsSources,
  started: AsyncDisposableStack,
) {
  if (!admin) return undefined;
  const { createMetrics, listenForScrapes } = await import("./metrics/index.ts");
  const databasePool = started.adopt(createHealthPool(databaseUrl, logger), (it) => it.end());
  const metrics = createMetrics({ basePath, pools, databasePool });
  const listener = started.adopt(await listenForScrapes(admin, metrics, logger), (it) =>
    it.close(),
  );
  return { ...metrics, address: listener.address };
}

interface SignInParts {
  readonly origin: string;
  readonly pool: Pool;
  readonly identitySecret: string | undefined;
  readonly mailer: Mailer | undefined;
  readonly logger: Logger;
}

/**
 * The accepted tokens: those of the issuer in the settings, of the sign-in by mail, or of the
 * development identity provider. The code of the last two is loaded only here, so that no other
 * service has it in memory.
 */
async function signIn(config: ServiceConfig, parts: SignInParts) {
  const { origin, pool, identitySecret: secret, mailer, logger } = parts;
  const { mail } = config;
  if (config.tokens !== "development") {
    if (config.signIn !== "mail" || !secret || !mail || !mailer) return { tokens: config.tokens };
    const { createMailSignIn } = await import("./identity/index.ts");
    const { publicUrl } = mail;
    const own = await createMailSignIn({
      origin: publicUrl,
      secret,
      unknownPerMinute: config.rateLimits.refusedTokensPerMinute,
      pool,
      mailer,
      logger,
    });
    return { tokens: config.tokens, own };
  }
  const { developmentSignIn } = await import("./development/index.ts");
  const development = await developmentSignIn(config, origin);
  return { tokens: development.tokens, development };
}

/**
 * Finds an issuer that cannot be reached at the start or while nobody sends a request, instead of
 * with the first person. The log and the metrics show the failures.
 */
function keepKeysFresh({ refreshKeys }: TokenVerifier): NodeJS.Timeout {
  void refreshKeys();
  return setInterval(refreshKeys, MINUTE_MS).unref();
}

/**
 * The database of the settings, or else the embedded PostgreSQL, migrated, with the secret of the
 * sign-in by mail that lies beside it. In development it contains a demo building.
 */
async function databaseOf(
  { databaseUrl, dataDir, tokens, signIn, identitySecret }: ServiceConfig,
  logger: Logger,
  started: AsyncDisposableStack,
) {
  if (databaseUrl !== undefined) return { databaseUrl, identitySecret };
  const postgres = await startEmbeddedPostgres({ dataDir, logger });
  started.defer(() => postgres.stop());
  await createDatabase(postgres, EMBEDDED_DATABASE);
  const owner = postgres.url("parking_owner", EMBEDDED_DATABASE);
  await runMigrations(owner, logger);
  await storePageFiles(owner, logger);
  if (tokens === "development") {
    const { fillDemoBuilding } = await import("./development/index.ts");
    await fillDemoBuilding(postgres.url("postgres", EMBEDDED_DATABASE));
  }
  const isSecretMade = signIn === "mail" && identitySecret === undefined;
  return {
    databaseUrl: postgres.url("parking_api", EMBEDDED_DATABASE),
    identitySecret: isSecretMade ? await identitySecretIn(dataDir, owner) : identitySecret,
  };
}
