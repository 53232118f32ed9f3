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

export interface Duel {
  /** What the moves are called in the names of the tests. */
  readonly names: Both<string>;
  /** Two moves on rows that no other duel uses. */
  readonly moves: () => Promise<Both<Move>>;
  /** The outcome of each move when it comes first. */
  readonly first: Both<string>;
  /** The outcome of each move when it comes after the other. */
  readonly after: Both<string>;
  /** Whether each waits for the other to end. One that does not has the outcome of the first. */
  readonly waits?: Both<boolean>;
}

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

/** Declares tests that two moves at one time end as if one had come after the other. */
export function describeDuel(
  name: string,
  arena: () => Arena,
  { names, moves, first, after, waits = [true, true] }: Duel,
): void {
  describe.each(ways)(`${name}%s`, (_how, headers) => {
    it("at one moment: it is as if one had come after the other", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const both = await moves();
        const outcomes = await atOnce(
          arena(),
          both.map((move) => () => overRest(arena(), move, headers)),
        );
        expect([
          [first[0], after[1]],
          [after[0], first[1]],
        ]).toContainEqual(outcomes);
      }
    });

    for (const earlier of [0, 1] as const) {
      const other = earlier === 0 ? 1 : 0;
      // A refused move holds no lock for which the other could wait.
      if (!first[earlier].startsWith("2")) continue;

      for (const end of ["commit", "rollback"] as const) {
        const outcome = waits[other] && end === "commit" ? after[other] : first[other];
        const verb = waits[other] ? "waits" : "does not wait";
        it(`${names[other]} ${verb} for ${names[earlier]}; on ${end}: ${outcome}`, async () => {
          const both = await moves();
          const { person, operation, values } = both[earlier];
          await withTransaction(arena(), person, async (transaction) => {
            await transaction.call(operation, values);
            const ending = overRest(arena(), both[other], headers);
            if (waits[other]) await transaction.isWaitedFor();
            else await ending;
            await transaction.end(end);
            expect(await ending).toBe(outcome);
          });
        });
      }
    }
  });
}

/** A duel in a line: how each move ends where it comes first, and where it comes after the other: "201 201, 201 taken". */
export type DuelRow = readonly [name: string, ends: string, moves: Duel["moves"]];

/** Declares duels of which each move waits for the other. A word of how it ends may stand for a refusal. */
export function describeDuels(
  arena: () => Arena,
  refusals: Readonly<Record<string, string>>,
  rows: readonly DuelRow[],
): void {
  const names: Both<string> = ["the one", "the other"];
  const both = (words: string): Both<string> => {
    const [one = "", other = ""] = words.split(" ").map((word) => refusals[word] ?? word);
    return [one, other];
  };
  for (const [name, ends, moves] of rows) {
    const [first = "", after = ""] = ends.split(", ");
    describeDuel(name, arena, { names, moves, first: both(first), after: both(after) });
  }
}
