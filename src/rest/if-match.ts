import type { Route } from "../contract/route.ts";
import { routes } from "../contract/routes.ts";
import type { Isolation, Step, Use } from "../database/transaction.ts";
import { Problem } from "../errors/problem.ts";
import { entityTag, lists } from "../http/conditions.ts";
import { type Answer, answerOf, type Outcome } from "./outcome.ts";
import type { Arguments } from "./validation.ts";

interface Change {
  readonly isolation: Isolation;
  readonly use: (values: Arguments, tags: string) => Use<Outcome | undefined>;
}

/**
 * What a PUT or a DELETE does with If-Match: it reads what it changes, and changes it, from one
 * snapshot. So PostgreSQL refuses it where another change came in between (40001), and it is run
 * again. The tags are compared last, for every other refusal comes before 412 (RFC 9110, 13.2.1).
 */
export function ifMatching(route: Route, answer: Answer): Change {
  const shown = shownBefore(route);
  const use: Change["use"] =
    (values, tags) =>
    async ({ run, commit }) => {
      const locking = route.lock === undefined ? [] : [locked(route.lock, values)];
      const reading = [...locking, ...shown.steps(values)];
      const results = await run([...reading, ...answer.steps(values)]);
      const outcome = answer.write(results.slice(reading.length), values);
      if (outcome === undefined) return undefined;

      const current = shown.write(results.slice(locking.length, reading.length), values);
      if (current === undefined || !lists(tags, entityTag(current.body)))
        throw new Problem("precondition_failed");
      await commit([]);
      return outcome;
    };
  return { isolation: route.lock === undefined ? "repeatable read" : "read committed", use };
}

/**
 * The GET of the same path, or for what administrators change, the one by which residents read it.
 * A test says that there is one for each.
 */
function shownBefore({ path }: Route): Answer {
  const paths = [path, path.replace(/^\/admin/, "")];
  const get = routes.find((route) => route.method === "GET" && paths.includes(route.path));
  if (get === undefined) throw new Error(`no GET shows what ${path} changes`);
  return answerOf(get);
}

const locked = (lock: string, { id }: Arguments): Step => ({
  name: lock,
  text: `select private.${lock}($1)`,
  values: [String(id)],
});
