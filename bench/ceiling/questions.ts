import type { DescribedRoute } from "../../src/contract/described.ts";
import type { Route } from "../../src/contract/route.ts";
import { Nothing } from "../../src/contract/schemas.ts";
import { type Arguments, textValidator } from "../../src/rest/validation.ts";
import { type Identity, identityOf } from "../../src/tokens/identity.ts";
import type { Script } from "../load/script.ts";

/** What a GET asks of the database, in whose name. */
export interface Question {
  readonly route: Route;
  readonly caller: Identity;
  readonly values: Arguments;
}

/** The route, the caller and the arguments as the service finds them in a request. */
export function questionOf(
  { token, steps: [step] }: Script,
  routes: readonly DescribedRoute[],
): Question {
  const { pathname, searchParams } = new URL(`http://service${step?.path}`);
  const path = pathname.replace(/^\/api/, "");
  const route = routes.find((it) => it.method === step?.method && patternOf(it).test(path));
  if (route === undefined) throw new Error(`no route has the path ${path}`);
  const id = patternOf(route).exec(path)?.groups?.id;
  const [, payload = ""] = token.split(".");
  return {
    route,
    caller: identityOf(JSON.parse(Buffer.from(payload, "base64url").toString())),
    values: {
      ...(id === undefined ? {} : { id }),
      ...textValidator(route.query ?? Nothing)(Object.fromEntries(searchParams)),
    },
  };
}

const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${path.replace(":id", "(?<id>[^/]+)")}$`);
