import { describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import type { Arena } from "../support/arena.ts";
import type { Building } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { atOnce, outcomeOf } from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

const ROUNDS = 5;

/** A call of an operation in schema api by a person. */
export interface Move {
  readonly person: Person;
  readonly operation: string;
  readonly values: Readonly<Record<string, string | boolean>>;
}

type Both<T> = readonly [T, T];

/**
 * Two moves on rows that no other duel uses, and how each ends where it comes first, and where it
 * comes after the other: "201 201, 201 taken". A word may stand for a refusal. One that does not
 * wait for the other ends as if it came first.
 */
export type DuelRow = readonly [
  name: string,
  ends: string,
  moves: () => Promise<Both<Move>>,
  waits?: false,
];

type Headers = Readonly<Record<string, string>>;

/** With If-Match a change sees one snapshot: what comes after it is refused by PostgreSQL, and tried again. */
const ways: readonly (readonly [how: string, headers: Headers])[] = [
  ["", {}],
  [" (If-Match)", { "If-Match": "*" }],
];

/** Makes the move by its REST request. */
export function overRest(
  building: Building,
  { person, operation, values }: Move,
  headers: Headers = {},
): Promise<string> {
  const route = routes.find(({ call }) => call === operation);
  if (route === undefined) throw new Error(`no endpoint calls ${operation}`);
  const { id = "", ...body } = values;
  const path = route.path.replace(":id", String(id));
  return outcomeOf(
    requestJson(building.service.origin, route.method, `/api${path}`, {
      token: person.token,
      ...(route.method !== "POST" && { headers }), // a condition is refused there
      ...(route.body && { body }),
    }),
  );
}

/** Declares that two moves at one time end as if one had come after the other. */
export function describeDuels(
  arena: () => Arena,
  refusals: Readonly<Record<string, string>>,
  rows: readonly DuelRow[],
): void {
  const both = (words = ""): Both<string> => {
    const [one = "", other = ""] = words.split(" ").map((word) => refusals[word] ?? word);
    return [one, other];
  };
  for (const [name, ends, moves, waits = true] of rows) {
    const [first, after] = ends.split(", ").map(both) as [Both<string>, Both<string>];
    describe.each(ways)(`${name}%s`, (_how, headers) => {
      it("at one moment: it is as if one had come after the other", async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const pair = await moves();
          const outcomes = await atOnce(
            arena(),
            pair.map((move) => () => overRest(arena(), move, headers)),
          );
          expect([
            [first[0], after[1]],
            [after[0], first[1]],
          ]).toContainEqual(outcomes);
        }
      });

      for (const earlier of [0, 1] as const) {
        const later = earlier === 0 ? 1 : 0;
        // A refused move holds no lock for which the other could wait.
        if (!first[earlier].startsWith("2")) continue;

        for (const end of ["commit", "rollback"] as const) {
          const outcome = waits && end === "commit" ? after[later] : first[later];
          const which = later === 0 ? "the first" : "the second";
          const verb = waits ? "waits" : "does not wait";
          it(`${which} ${verb} for the other; on ${end}: ${outcome}`, async () => {
            const pair = await moves();
            const { person, operation, values } = pair[earlier];
            await withTransaction(arena(), person, async (transaction) => {
              await transaction.call(operation, values);
              const ending = overRest(arena(), pair[later], headers);
              await (waits ? transaction.isWaitedFor() : ending);
              await transaction.end(end);
              expect(await ending).toBe(outcome);
            });
          });
        }
      }
    });
  }
}
