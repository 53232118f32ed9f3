import type { Pool } from "pg";
import { operationOf } from "../../rest/operation.ts";
import { PathId } from "../../rest/requests.ts";
import { bodyValidator, textValidator } from "../../rest/validation.ts";
import type { Identity } from "../../tokens/identity.ts";
import { type Body, camelCase, givenTo, type Mutation, mutations } from "../schema/mutations.ts";

type Perform = (caller: Identity, input: object, isGone: () => boolean) => Promise<Body>;

/** The mutations: each checks its input as REST checks a request, then calls the same function. */
export const mutator = (pool: Pool): ReadonlyMap<string, Perform> =>
  new Map(mutations.map((mutation) => [mutation.route.call, performerOf(mutation, pool)]));

function performerOf({ route, input: fields }: Mutation, pool: Pool): Perform {
  const operation = operationOf(route, pool);
  const checkPath = "id" in fields ? textValidator(PathId) : undefined;
  const given = givenTo(route);
  const checkGiven = given && bodyValidator(given);

  return async (caller, input, isGone) => {
    const { id, ...values } = renamed(input, Object.keys(fields));
    const checkedPath = checkPath?.({ id: typeof id === "string" ? id : undefined });
    const outcome = await operation(
      caller,
      { ...checkedPath, ...checkGiven?.(values) },
      { isGone },
    );
    if (!outcome) throw new Error(`${route.call} returned no row`);
    return JSON.parse(outcome.body);
  };
}

/** The fields of the input, by the names that they have in REST requests. */
function renamed(input: object, names: readonly string[]): Record<string, unknown> {
  const given = new Map(Object.entries(input));
  return Object.fromEntries(
    names
      .filter((name) => given.has(camelCase(name)))
      .map((name) => [name, given.get(camelCase(name))]),
  );
}
