import type { RouterContext } from "@koa/router";
import type { Pool } from "pg";
import { readJsonBody } from "./request-body.ts";
import type { Route } from "./routes.ts";
import { Nothing, PathId } from "./schemas.ts";
import type { Identity } from "./tokens/identity.ts";
import { type Call, callAs } from "./transaction.ts";
import { type Arguments, bodyValidator, textValidator } from "./validation.ts";

export interface RequestState {
  /** Who asks: set once the token is verified. */
  identity: Identity;
}

/** The names of the arguments of a route's function, in the order in which they are sent. */
export const argumentNames = (route: Route): readonly string[] => [
  ...(route.path.includes(":id") ? ["id"] : []),
  ...Object.keys(route.query?.properties ?? {}),
  ...Object.keys(route.body?.properties ?? {}),
];

/** What a route means: its arguments, checked, become one call whose result is the response. */
export function endpoint(
  route: Route,
  { pool, basePath }: { readonly pool: Pool; readonly basePath: string },
): (ctx: RouterContext<RequestState>) => Promise<void> {
  const call = callOf(route);
  const names = argumentNames(route);
  const checkPath = route.path.includes(":id") ? textValidator(PathId) : undefined;
  const checkQuery = textValidator(route.query ?? Nothing);
  const checkBody = route.body && bodyValidator(route.body);

  return async (ctx) => {
    const values: Arguments = {
      ...checkPath?.(ctx.params),
      ...checkQuery(ctx.query),
      ...checkBody?.(await readJsonBody(ctx)),
    };
    const claims = JSON.stringify(ctx.state.identity);
    const row = await callAs(
      pool,
      claims,
      call,
      names.map((name) => argument(values[name])),
    );

    ctx.status = route.status;
    if (route.location) {
      ctx.set("Location", basePath + route.location.path.replace(":id", row.id ?? ""));
    }
    ctx.type = "application/json";
    ctx.body = row.body;
  };
}

/** The function makes the whole body, as text; only the id that Location needs is read from it. */
function callOf(route: Route): Call {
  const values = argumentNames(route).map((name, i) => `"${name}" => $${i + 1}`);
  const id = route.location ? `, body -> '${route.location.member}' ->> 'id' as id` : "";
  return {
    name: route.call,
    text: `select body::text as body${id} from api.${route.call}(${values.join(", ")}) as body`,
    readOnly: route.method === "GET" && route.writes === undefined,
  };
}

/** Left out is null; the null that clears a field is an empty text (sql/profiles/update_profile.sql). */
function argument(value: unknown): string | null {
  if (value === undefined) return null;
  return value === null ? "" : String(value);
}
