import { hash } from "node:crypto";
import type { Route } from "../contract/route.ts";
import type { Step, Use } from "../database/transaction.ts";
import type { Answer, Outcome } from "./outcome.ts";
import { requirements } from "./statements.ts";
import type { Arguments } from "./validation.ts";

/**
 * What a request with a key does: it repeats the answer that is kept under the key, or runs and
 * keeps its own answer, in the transaction of its effect. The account is checked before either.
 */
export function answerOnce(
  route: Route,
  answer: Answer,
  values: Arguments,
  key: string,
): Use<Outcome | undefined> {
  const identified = [key, fingerprintOf(route, values)];
  const before = requirements[route.requires];
  return async ({ run, commit }) => {
    const found = await run([...before, { ...take, values: identified }]);
    const [[body, id] = []] = found[before.length] ?? [];
    if (body != null) return { body, id: id ?? undefined, isReplayed: true };

    const outcome = answer.write(await run(answer.steps(values)), values);
    if (outcome === undefined) return undefined;
    await commit([{ ...keep, values: [...identified, outcome.body, outcome.id ?? null] }]);
    return outcome;
  };
}

/** The same key may stand for one request only. The order of its members does not matter. */
function fingerprintOf({ method, path }: Route, values: Arguments): string {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([method, path, sorted]), "base64url");
}

const take: Omit<Step, "values"> = {
  name: "take_idempotency_key",
  text: "select body, location_id from private.take_idempotency_key($1, $2)",
};
const keep: Omit<Step, "values"> = {
  name: "keep_answer",
  text: "select private.keep_answer($1, $2, $3, $4)",
};
