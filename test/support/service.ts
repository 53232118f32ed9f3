import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Pool } from "pg";
import { pino } from "pino";
import { createListener } from "../../src/app.ts";
import type { RateLimitConfig } from "../../src/config/config.ts";
import type { GroupsConfig } from "../../src/config/groups.ts";
import { describedRoutes } from "../../src/contract/described.ts";
import { createPool } from "../../src/database/pool.ts";
import { readRuleCatalogue } from "../../src/errors/catalogue.ts";
import type { GraphQLConfig } from "../../src/graphql/endpoint.ts";
import { machineKeys, withKeys } from "../../src/http/authentication.ts";
import { createWatchers } from "../../src/http/health.ts";
import { createHttpServer, type Timeouts } from "../../src/http/server.ts";
import type { Logger } from "../../src/log/logger.ts";
import type { RequestMetrics } from "../../src/metrics/requests.ts";
import type { WebSettings } from "../../src/pages/web.ts";
import { checksOf } from "../../src/rest/checks.ts";
import {
  createEventStreams,
  type EventStreams,
  STREAM_CONNECTIONS,
  type StreamParts,
} from "../../src/rest/events/streams.ts";
import type { Patience } from "../../src/service.ts";
import { createTokenVerifier } from "../../src/tokens/verifier.ts";
import { startTestIssuer, type TestIssuer } from "./tokens.ts";

export interface Service {
  /** Such as http://127.0.0.1:40123 */
  readonly origin: string;
  readonly pool: Pool;
  readonly streams: EventStreams;
  readonly issuer: TestIssuer;
  /** The last errors in its log: why it answered with a 5xx. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly connections?: number;
  /** Limits that are not given are turned off: most tests send more requests than a person may. */
  readonly rateLimits?: Partial<RateLimitConfig>;
  readonly corsOrigins?: readonly string[];
  readonly trustProxy?: boolean;
  readonly graphql?: Partial<GraphQLConfig>;
  readonly timeouts?: Partial<Timeouts>;
  readonly web?: WebSettings;
  readonly groups?: GroupsConfig;
  readonly metrics?: RequestMetrics;
  readonly streams?: Partial<StreamParts>;
  /** The longest that a request waits for the processor. */
  readonly patienceMs?: number;
  /** Webhooks may lead to this machine, which development allows. */
  readonly allowsLoopback?: boolean;
}

/** A busy machine needs longer than the second that the service gives a request. */
export const patience: Required<Patience> = {
  forConnections: { connectionTimeoutMillis: 10_000 },
  forProcessorMs: 100_000,
};

const noRateLimits: RateLimitConfig = {
  store: "memory",
  perMinute: 0,
  perHour: 0,
  profilePerMinute: 0,
  profilePerHour: 0,
  keyPerMinute: 0,
  keyPerHour: 0,
  refusedTokensPerMinute: 0,
};

/** The service as it runs, on a free port, with an identity provider of the test's own. */
export async function startService(
  databaseUrl: string,
  options: ServiceOptions = {},
): Promise<Service> {
  const issuer = await startTestIssuer();
  const errors: string[] = [];
  const logger = keepingErrors(errors);
  const preparedStatements = process.env.TEST_PREPARED_STATEMENTS !== "false";
  const { connections } = options;
  const pool = createPool(databaseUrl, logger, {
    preparedStatements,
    max: connections ?? 10,
    ...patience.forConnections,
  });
  const graphqlPool = createPool(databaseUrl, logger, {
    preparedStatements,
    max: connections ?? 5,
    ...patience.forConnections,
  });
  const healthPool = createPool(databaseUrl, logger, { max: 1, ...patience.forConnections });
  const routes = await describedRoutes(pool);
  const tokens = createTokenVerifier({
    issuer: issuer.issuer,
    audience: issuer.audience,
    groups: options.groups,
  });
  const streamPool = createPool(databaseUrl, logger, {
    max: STREAM_CONNECTIONS,
    ...patience.forConnections,
  });
  const keys = machineKeys(pool, logger, 100);
  const streams = createEventStreams({
    pool: streamPool,
    tokens: withKeys(tokens, keys),
    logger,
    ...options.streams,
  });
  const listener = createListener({
    basePath: "/api",
    pool,
    healthPool,
    rules: await readRuleCatalogue(pool),
    checks: checksOf(pool, options.allowsLoopback ?? true),
    routes,
    tokens,
    keys,
    logger,
    rateLimits: { ...noRateLimits, ...options.rateLimits },
    corsOrigins: options.corsOrigins ?? [],
    trustProxy: options.trustProxy ?? false,
    isStopping: () => false,
    watchers: createWatchers(),
    patienceMs: options.patienceMs ?? patience.forProcessorMs,
    metrics: options.metrics,
    web: options.web,
    graphql: {
      pool: graphqlPool,
      // As the service does: most test files never need it, and it takes a second to load.
      schema: async () => {
        const { createSchema } = await import("../../src/graphql/schema/schema.ts");
        return createSchema(graphqlPool, routes);
      },
      introspection: true,
      ...options.graphql,
    },
    streams,
  });
  const server = createHttpServer(listener, options.timeouts).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    pool,
    streams,
    issuer,
    errors,
    close: async () => {
      await streams.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([
        pool.end(),
        graphqlPool.end(),
        streamPool.end(),
        healthPool.end(),
        issuer.close(),
      ]);
    },
  };
}

const MOST_ERRORS = 5;

const keepingErrors = (errors: string[]): Logger =>
  pino(
    { level: "error", base: null, messageKey: "message" },
    {
      write(line: string) {
        errors.push(line);
        if (errors.length > MOST_ERRORS) errors.shift();
      },
    },
  );
