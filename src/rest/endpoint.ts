import { createHmac } from "node:crypto";
import type { Context } from "koa";
import type { Pool } from "pg";
import type { DescribedRoute } from "../contract/described.ts";
import { pathParametersOf, type Route, statusOf } from "../contract/route.ts";
import { Nothing } from "../contract/schemas.ts";
import type { RuleCatalogue } from "../errors/catalogue.ts";
import { Problem } from "../errors/problem.ts";
import { languageOf } from "../errors/render.ts";
import { keySecretIn } from "../http/authentication.ts";
import {
  answerRead,
  conditionOf,
  entityTag,
  idempotencyKeyOf,
  refuseIdempotencyKey,
} from "../http/conditions.ts";
import { readJsonBody } from "../http/request.ts";
import type { Endpoint } from "../http/router.ts";
import type { RateLimits } from "../limits/limits.ts";
import type { RequestState } from "../tokens/identity.ts";
import type { Checks } from "./checks.ts";
import { operationOf } from "./operation.ts";
import { bodyValidator, textValidator } from "./validation.ts";

interface EndpointParts {
  readonly pool: Pool;
  readonly basePath: string;
  readonly rules: RuleCatalogue;
  readonly checks: Checks;
  readonly charge: RateLimits["charge"];
}

/** The condition that a request to a route of this method may have. */
const conditions = {
  GET: "If-None-Match",
  POST: undefined,
  PUT: "If-Match",
  DELETE: "If-Match",
} as const;

/** What a route means: its arguments, checked, become one call whose result is the response. */
export function endpoint(
  route: DescribedRoute,
  { pool, basePath, rules, checks, charge }: EndpointParts,
): Endpoint<RequestState> {
  const operation = operationOf(route, pool, checks);
  const checkPath = route.path.includes(":") ? textValidator(pathParametersOf(route)) : undefined;
  const checkQuery = textValidator(route.query ?? Nothing);
  const checkBody = route.body && bodyValidator(route.body);
  const condition = conditions[route.method];
  const status = statusOf(route);

  return async (ctx) => {
    if (route.secret || ctx.state.identity.key)
      refuseIdempotencyKey(ctx, "is not supported here: the answer is not kept");
    const key = route.method === "POST" ? idempotencyKeyOf(ctx) : undefined;
    const tags = conditionOf(ctx, condition);
    const values = {
      ...checkPath?.(ctx.params),
      ...checkQuery(ctx.query),
      ...checkBody?.(await readJsonBody(ctx, route.largestBody)),
      ...(route.takesAddress && { address: `${ctx.protocol}://${ctx.host}${basePath}` }),
      ...((route.calendar || route.csv || route.takesLanguage) && { language: languageOf(ctx) }),
    };
    const isGone = () => ctx.socket.destroyed;
    const chargeMore = (points: number) => charge(ctx, points);
    const terms = { isGone, charge: chargeMore, key, tags };
    const rendered = await operation(ctx.state.identity, values, terms);
    if (!rendered) throw await absent(route, rules);
    const { id = "", body, file, isReplayed } = rendered;

    ctx.status = status;
    if (isReplayed) ctx.set("Idempotent-Replayed", "true");
    if (route.location) {
      ctx.set("Location", basePath + route.location.replace(":id", id));
      // What a GET of Location would answer has the same bytes.
      if (!route.secret) ctx.set("ETag", entityTag(body));
    }
    if (file) ctx.attachment(file.name);
    ctx.type = file?.type ?? "application/json";
    if (route.isSigned) sign(ctx, body);
    if (route.method === "GET") answerRead(ctx, body, { known: tags, isStored: !route.personal });
    else ctx.body = body;
  };
}

/** So that a machine that keeps the answer can tell later that it came from here. */
function sign(ctx: Pick<Context, "req" | "set">, body: string): void {
  const secret = keySecretIn(ctx.req.headers.authorization);
  if (secret !== undefined) ctx.set("X-Signature", hmac(secret, body));
}

const hmac = (secret: string, body: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

/** The comment of the table says what a caller reads where the row is not there. */
async function absent({ table = "" }: Route, rules: RuleCatalogue): Promise<Problem> {
  const { absences } = await rules.all();
  return new Problem("not_found", { message: absences.get(table) });
}
