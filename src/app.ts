import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import helmet from "koa-helmet";
import type { Pool } from "pg";
import { endpoint, type RequestState } from "./endpoint.ts";
import { healthRoutes } from "./health.ts";
import { type Logger, logRequests } from "./log.ts";
import { renderErrors } from "./render-errors.ts";
import { requestId } from "./request-id.ts";
import { routes } from "./routes.ts";
import type { RuleCatalogue } from "./rules.ts";
import type { TokenVerifier } from "./tokens/verifier.ts";

export interface Parts {
  readonly basePath: string;
  readonly pool: Pool;
  readonly rules: RuleCatalogue;
  readonly tokens: TokenVerifier;
  readonly logger: Logger;
  readonly isStopping: () => boolean;
  /** The development identity provider, where no other issues the tokens. */
  readonly identityProvider?: Middleware | undefined;
}

/** Puts the parts together; the order is the order of judgement. */
export function createApp(parts: Parts): Koa<RequestState> {
  const app = new Koa<RequestState>();
  const { basePath, pool, rules, tokens, logger } = parts;
  // Everything that fails is rendered and logged inside; what is left is a client that went away.
  app.on("error", (error) => logger.debug({ err: error }, "connection"));

  app.use(requestId);
  app.use(logRequests(logger));
  app.use(helmet());
  app.use(renderErrors(rules, logger));
  app.use(healthRoutes(pool, parts.isStopping).routes());
  if (parts.identityProvider) app.use(parts.identityProvider);

  app.use(async (ctx, next) => {
    if (ctx.path !== basePath && !ctx.path.startsWith(`${basePath}/`)) return;
    ctx.state.identity = await tokens.verify(ctx.get("Authorization") || undefined);
    await next();
  });

  const api = new Router<RequestState>({ prefix: basePath, sensitive: true, strict: true });
  for (const route of routes) {
    api.register(route.path, [route.method], endpoint(route, { pool, basePath }));
  }
  app.use(api.routes());
  app.use(api.allowedMethods());
  return app;
}
