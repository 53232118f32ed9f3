import type { Pool } from "pg";
import type { DescribedRoute } from "../contract/described.ts";
import { inputOf } from "../contract/route.ts";
import type { Identity } from "../tokens/identity.ts";
import type { Checks } from "./checks.ts";
import { operationOf } from "./operation.ts";
import { type Arguments, bodyValidator } from "./validation.ts";

/**
 * Returns what carries out the writing route that calls a function, for another door than REST's: it
 * checks the arguments as REST checks a request, and returns the body of the answer.
 */
export function performer(routes: readonly DescribedRoute[], pool: Pool, checks: Checks) {
  const performers = new Map(
    routes
      .filter(({ method }) => method !== "GET")
      .map((route) => [
        route.call,
        { check: bodyValidator(inputOf(route)), operation: operationOf(route, pool) },
      ]),
  );

  return async (
    call: string,
    caller: Identity,
    values: Arguments,
    isGone: () => boolean,
  ): Promise<string> => {
    const found = performers.get(call);
    if (!found) throw new Error(`no route that writes calls ${call}`);
    const checked = found.check(values);
    await checks[call]?.(checked);
    const rendered = await found.operation(caller, checked, { isGone });
    if (!rendered) throw new Error(`${call} returned no row`);
    return rendered.body;
  };
}
