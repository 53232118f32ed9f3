import type { IncomingMessage, RequestListener } from "node:http";
import Koa, { type Middleware } from "koa";
import type { Pool } from "pg";
import type { RateLimitConfig } from "./config/config.ts";
import type { DescribedRoute } from "./contract/described.ts";
import { overloadOf } from "./database/pool.ts";
import type { DevelopmentSignIn } from "./development/index.ts";
import type { RuleCatalogue } from "./errors/catalogue.ts";
import { Problem } from "./errors/problem.ts";
import { REFUSED, renderErrors, writeFailure } from "./errors/render.ts";
import { writeRefusal } from "./graphql/answer.ts";
import { type GraphQLConfig, graphqlEndpoint } from "./graphql/endpoint.ts";
import type { MachineKeys } from "./http/authentication.ts";
import { authenticate, followGroups } from "./http/authentication.ts";
import { allowOrigins } from "./http/cross-origin.ts";
import { healthRoutes, type Watchers } from "./http/health.ts";
import { refuser } from "./http/refusal.ts";
import { forwardedAddress, noticeProxy, receive, refuseMalformed } from "./http/request.ts";
import { type Endpoint, type Entry, route } from "./http/router.ts";
import { createRateLimits, type RateLimits } from "./limits/limits.ts";
import type { Logger } from "./log/logger.ts";
import type { RequestMetrics } from "./metrics/requests.ts";
import { openApiRoute } from "./openapi/description.ts";
import { admit } from "./overload/processor.ts";
import { docsRoutes } from "./pages/docs.ts";
import { graphiqlRoutes } from "./pages/graphiql.ts";
import { greetingOf } from "./pages/greeting.ts";
import { noPage } from "./pages/no-page.ts";
import { filesOfOtherVersions } from "./pages/other-versions.ts";
import { unsubscribing } from "./pages/unsubscribe.ts";
import { type WebSettings, webPage } from "./pages/web.ts";
import { feedEndpoint } from "./rest/calendar-feed.ts";
import type { Checks } from "./rest/checks.ts";
import { endpoint } from "./rest/endpoint.ts";
import { streamEndpoint } from "./rest/events/endpoint.ts";
import type { EventStreams } from "./rest/events/streams.ts";
import { performer } from "./rest/operation.ts";
import { piecesEndpoint } from "./rest/pieces.ts";
import type { RequestState } from "./tokens/identity.ts";
import type { TokenVerifier } from "./tokens/verifier.ts";

export interface Parts {
  readonly basePath: string;
  readonly pool: Pool;
  /** What /readyz asks by. */
  readonly healthPool: Pool;
  readonly rules: RuleCatalogue;
  readonly checks: Checks;
  /** The REST API, as the database describes it. */
  readonly routes: readonly DescribedRoute[];
  readonly tokens: TokenVerifier;
  /** The keys of machines. */
  readonly keys: MachineKeys;
  readonly logger: Logger;
  readonly rateLimits: RateLimitConfig;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  readonly isStopping: () => boolean;
  readonly watchers: Watchers;
  /** The longest that a request waits for the processor. */
  readonly patienceMs?: number | undefined;
  readonly metrics?: RequestMetrics | undefined;
  readonly graphql: GraphQLConfig;
  readonly streams: EventStreams;
  /** The page for the people of the building, where there is one. */
  readonly web?: WebSettings | undefined;
  /** The service's own identity provider, below /identity, where it has one. */
  readonly identity?: Middleware | undefined;
  /** The entries of the API for people who sign in there. */
  readonly signInEntries?: readonly Entry<RequestState>[] | undefined;
  /** The parts of a service under development. */
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
    overload: ({ method, url = "" }: IncomingMessage) => {
      if (!url.startsWith(`${basePath}/`) || url === graphqlPath || method === "OPTIONS") return;
      const isRead = method === "GET" || method === "HEAD";
      return overloadOf(pool, isRead ? "read" : "write");
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
  const { basePath, pool, routes, rules, tokens, logger } = parts;
  const limits = createRateLimits(parts.rateLimits, { pool, routes, basePath });
  // renderErrors answers and logs every other error; what is left are clients that went away.
  app.on("error", (error) => logger.debug({ err: error }, "connection"));

  if (parts.metrics) app.use(parts.metrics.observe).on(REFUSED, parts.metrics.refused);
  app.use(parts.trustProxy ? forwardedAddress : noticeProxy(logger));
  app.use(receive(logger, parts.isStopping));
  if (parts.corsOrigins.length > 0 || parts.development) app.use(allowOrigins(isAllowed));
  app.use(
    renderErrors(rules, logger, (ctx, problem) => {
      if (ctx.path === `${basePath}/graphql`) writeRefusal(ctx, problem);
      else writeFailure(ctx, problem);
    }),
  );
  app.use(refuseMalformed);
  if (parts.identity) app.use(parts.identity);
  app.use(route(openEntries(parts, limits)));
  if (parts.web)
    app.use(outside(basePath, webPage(parts.web, greetingOf(pool), filesOfOtherVersions(pool))));
  const unknownPerMinute = parts.rateLimits.refusedTokensPerMinute;
  app.use(authenticate({ tokens, keys: parts.keys, basePath, unknownPerMinute }));
  app.use(limits.perCaller);
  app.use(followGroups(pool));

  app.use(route(entries(parts, limits)));
  return app;
}

/** The entries that need no token. */
function openEntries(parts: Parts, limits: RateLimits): readonly Entry[] {
  const { basePath, pool, rules, routes, web, development, healthPool, watchers } = parts;
  const unknownPerMinute = parts.rateLimits.refusedTokensPerMinute;
  const ofSecrets = { basePath, pool, rules, limits, unknownPerMinute };
  return [
    ...healthRoutes(healthPool, watchers),
    ...docsRoutes(basePath),
    ...(development ? graphiqlRoutes(basePath, development.signIn) : []),
    ...(development ? development.mailPages : []),
    openApiRoute({
      basePath,
      signIn: development?.signIn,
      hasPasskeys: parts.signInEntries !== undefined,
      rules,
      routes,
    }),
    ...(web ? [] : noPage()),
    ...routes
      .filter(({ bySecret }) => bySecret)
      .map((it) => entryAt(basePath, it, feedEndpoint(it, ofSecrets))),
    ...unsubscribing(ofSecrets),
  ];
}

/** What needs a token. */
function entries(parts: Parts, { charge }: RateLimits): readonly Entry<RequestState>[] {
  const { basePath, routes, rules, logger, signInEntries = [] } = parts;
  const perform = performer(routes, parts.graphql.pool, parts.checks);
  const graphql = graphqlEndpoint(parts.graphql, { rules, logger, charge, perform });
  return [
    ...routes
      .filter(({ bySecret }) => !bySecret)
      .map((it) => {
        const answer = endpointOf(it, parts, charge);
        return entryAt(basePath, it, it.scope ? answer : forPeople(answer));
      }),
    ...signInEntries.map((it) => entryAt(basePath, it, forPeople(it.answer))),
    { method: "POST", path: `${basePath}/graphql`, answer: forPeople(graphql) },
  ];
}

const entryAt = <State>(
  basePath: string,
  { method, path }: Pick<DescribedRoute, "method" | "path">,
  answer: Endpoint<State>,
): Entry<State> => ({ method, path: basePath + path, answer });

/** The database would refuse a key too, but not before all that this answers about the request. */
const forPeople =
  (answer: Endpoint<RequestState>): Endpoint<RequestState> =>
  (ctx) => {
    if (ctx.state.identity.key) throw new Problem("forbidden");
    return answer(ctx);
  };

function endpointOf(route: DescribedRoute, parts: Parts, charge: RateLimits["charge"]) {
  if (route.stream) return streamEndpoint(route, parts);
  if (route.pieces) return piecesEndpoint(route, route.pieces, { ...parts, charge });
  return endpoint(route, { ...parts, charge });
}

/** The page has no place below the base path. */
const outside =
  (basePath: string, page: Middleware): Middleware =>
  (ctx, next) =>
    ctx.path.startsWith(`${basePath}/`) ? next() : page(ctx, next);
