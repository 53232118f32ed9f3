import type { RouterContext } from "@koa/router";
import type { Pool } from "pg";
import { readJsonBody } from "../http/json-body.ts";
import type { RequestState } from "../tokens/identity.ts";
import { operationOf } from "./operation.ts";
import { Nothing, PathId } from "./requests.ts";
import { type Route, statusOf } from "./route.ts";
import { bodyValidator, textValidator } from "./validation.ts";

/** What a route means: its arguments, checked, become one call whose result is the response. */
export function endpoint(
  route: Route,
  { pool, basePath }: { readonly pool: Pool; readonly basePath: string },
): (ctx: RouterContext<RequestState>) => Promise<void> {
  const operation = operationOf(route, pool);
  const checkPath = route.path.includes(":id") ? textValidator(PathId) : undefined;
  const checkQuery = textValidator(route.query ?? Nothing);
  const checkBody = route.body && bodyValidator(route.body);

  return async (ctx) => {
    const values = {
      ...checkPath?.(ctx.params),
      ...checkQuery(ctx.query),
      ...checkBody?.(await readJsonBody(ctx)),
    };
    const isGone = () => ctx.socket.destroyed;
    const { id, body } = await operation(ctx.state.identity, values, isGone);

    ctx.status = statusOf(route);
    if (route.location)
      ctx.set("Location", basePath + route.location.path.replace(":id", id ?? ""));
    ctx.type = "application/json";
    ctx.body = body;
  };
}
