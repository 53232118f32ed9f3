import type { Pool } from "pg";
import type { DescribedRoute } from "../contract/described.ts";
import { PathId } from "../contract/schemas.ts";
import type { Identity } from "../tokens/identity.ts";
import { operationOf } from "./operation.ts";
import { type Arguments, bodyValidator, textValidator } from "./validation.ts";

/**
 * Returns what carries out the writing route that calls a function, for another door than REST's: it
 * checks the arguments as REST checks a request, and returns the body of the answer.
 */
export function performer(routes: readonly DescribedRoute[], pool: Pool) {
  const checkPath = textValidator(PathId);
  const performers = new Map(
    routes
      .filter(({ method }) => method !== "GET")
      .map((route) => {
        const given = route.body ?? route.query;
        const check = given && bodyValidator(given);
        return [route.call, { route, check, operation: operationOf(route, pool) }];
      }),
  );

  return async (
    call: string,
    caller: Identity,
    { id, ...values }: Arguments,
    isGone: () => boolean,
  ): Promise<string> => {
    const found = performers.get(call);
    if (!found) throw new Error(`no route that writes calls ${call}`);
    const { route, check, operation } = found;
    const path = route.path.includes(":id")
      ? checkPath({ id: typeof id === "string" ? id : undefined })
      : undefined;
    const outcome = await operation(caller, { ...path, ...check?.(values) }, { isGone });
    if (!outcome) throw new Error(`${call} returned no row`);
    return outcome.body;
  };
}
