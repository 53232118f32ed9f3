import type { IncomingMessage, RequestListener } from "node:http";
import Router from "@koa/router";
import Koa from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "./config/config.ts";
import type { DescribedRoute } from "./contract/described.ts";
import { reasonToRefuse } from "./database/connection.ts";
import type { Replica } from "./database/replica.ts";
import { sharedConnectionsOf } from "./database/shared-connections.ts";
import { reasonToRefuseWrite } from "./database/transaction.ts";
import type { DevelopmentSignIn } from "./development/index.ts";
import type { RuleCatalogue } from "./errors/catalogue.ts";
import { REFUSED, renderErrors, writeFailure } from "./errors/render.ts";
import { formatted, writeAnswer } from "./graphql/answer.ts";
import type { GraphQLConfig } from "./graphql/endpoint.ts";
import { graphqlWhenUsed } from "./graphql/when-used.ts";
import { admit } from "./http/admission.ts";
import { allowOrigins } from "./http/cross-origin.ts";
import { elsewhere } from "./http/elsewhere.ts";
import { knownExpectation } from "./http/expectation.ts";
import { healthRoutes } from "./http/health.ts";
import { oneHost } from "./http/host.ts";
import { receive } from "./http/reception.ts";
import { refuser } from "./http/refusal.ts";
import { somePath } from "./http/request-target.ts";
import { readable } from "./http/unreadable.ts";
import { noteWrites } from "./http/writes.ts";
import { createRateLimits } from "./limits/limits.ts";
import type { Logger } from "./log/logger.ts";
import type { RequestMetrics } from "./metrics/requests.ts";
import { openApiRoutes } from "./openapi/description.ts";
import { docsRoutes } from "./pages/docs.ts";
import { graphiqlRoutes } from "./pages/graphiql.ts";
import type { WebSettings } from "./pages/web/site.ts";
import { webPage } from "./pages/web.ts";
import { endpoint } from "./rest/endpoint.ts";
import { performer } from "./rest/performer.ts";
import { authenticate } from "./tokens/authentication.ts";
import type { RequestState } from "./tokens/identity.ts";
import type { TokenVerifier } from "./tokens/verifier.ts";

export interface Parts {
  readonly basePath: string;
  readonly pool: Pool;
  /** For the GETs that read, where there is one. */
  readonly replica?: Replica | undefined;
  /** What /readyz asks by. */
  readonly healthPool: Pool;
  readonly rules: RuleCatalogue;
  /** The REST API, as the database describes it. */
  readonly routes: readonly DescribedRoute[];
  readonly tokens: TokenVerifier;
  readonly logger: Logger;
  readonly rateLimits: RateLimitConfig;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly isStopping: () => boolean;
  /** The longest that a request waits for the processor. */
  readonly patienceMs?: number | undefined;
  readonly metrics?: RequestMetrics | undefined;
  readonly graphql: GraphQLConfig;
  /** The page for the people of the building, where there is one. */
  readonly web?: WebSettings | undefined;
  /** The development identity provider, where no other issues the tokens. */
  readonly development?: DevelopmentSignIn | undefined;
}

/** The app, and before it what refuses a request for which there is no time. */
export function createListener(parts: Parts): RequestListener {
  const { basePath, pool, patienceMs } = parts;
  const graphqlPath = `${basePath}/graphql`;
  return admit({
    begin: createApp(parts).callback(),
    refuse: refuser({ ...parts, graphqlPath, isAllowed: allowedOrigins(parts) }),
    // GraphQL limits what waits for its own connections.
    reasonToRefuse: ({ method, url = "" }: IncomingMessage) => {
      if (!url.startsWith(`${basePath}/`) || url === graphqlPath || method === "OPTIONS") return;
      const isRead = method === "GET" || method === "HEAD";
      return (
        reasonToRefuse(pool) ??
        (isRead ? sharedConnectionsOf(pool).reasonToRefuse() : reasonToRefuseWrite(pool))
      );
    },
    patienceMs,
  });
}

function allowedOrigins({ corsOrigins, development }: Parts): (origin: string) => boolean {
  const isOfWebApp = development?.isOfWebApp;
  return (origin) => corsOrigins.includes(origin) || isOfWebApp?.(origin) === true;
}

/** The order of the middleware decides which of several errors a request gets. */
function createApp(parts: Parts): Koa<RequestState> {
  const isAllowed = allowedOrigins(parts);
  // One proxy is trusted, and it adds the address it sees at the end of X-Forwarded-For.
  const app = new Koa<RequestState>({ proxy: parts.trustProxy, maxIpsCount: 1 });
  const { basePath, pool, replica, routes, rules, tokens, logger } = parts;
  const limits = createRateLimits(parts.rateLimits, { pool, routes, basePath });
  // renderErrors answers and logs every other error; what is left are clients that went away.
  app.on("error", (error) => logger.debug({ err: error }, "connection"));

  if (parts.metrics) app.use(parts.metrics.observe).on(REFUSED, parts.metrics.refused);
  app.use(receive(logger, parts.isStopping));
  if (parts.corsOrigins.length > 0 || parts.development) app.use(allowOrigins(isAllowed));
  app.use(
    renderErrors(rules, logger, (ctx, problem) => {
      if (ctx.path === `${basePath}/graphql`) writeAnswer(ctx, [formatted(problem)]);
      else writeFailure(ctx, problem);
    }),
  );
  app.use(readable).use(somePath).use(oneHost).use(knownExpectation);
  if (parts.development) app.use(parts.development.middleware);
  const open = openRoutes(parts);
  app.use(elsewhere(basePath, open.routes())).use(elsewhere(basePath, open.allowedMethods()));
  const { signIn } = parts.development ?? {};
  app.use(openApiRoutes({ basePath, signIn, rules, routes }).routes());
  if (parts.web) app.use(elsewhere(basePath, webPage(parts.web)));
  app.use(limits.perAddress);
  app.use(authenticate(tokens, basePath));
  app.use(limits.perCaller);
  if (replica) app.use(noteWrites(replica, basePath));

  const api = new Router<RequestState>({ prefix: basePath, sensitive: true, strict: true });
  for (const route of routes) {
    api.register(route.path, [route.method], endpoint(route, { pool, replica, basePath, rules }));
  }
  const charge = limits.charge;
  const perform = performer(routes, parts.graphql.pool);
  api.post("/graphql", graphqlWhenUsed(parts.graphql, { rules, logger, charge, perform }));
  app.use(api.routes());
  app.use(api.allowedMethods());
  return app;
}

/** What everybody may open. */
function openRoutes({ basePath, healthPool, isStopping, development }: Parts): Router {
  const open = new Router();
  open.use(healthRoutes(healthPool, isStopping).routes());
  open.use(docsRoutes(basePath).routes());
  if (development) open.use(graphiqlRoutes(basePath, development.signIn).routes());
  return open;
}
