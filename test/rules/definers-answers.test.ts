import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Holding, holding, spotOf, useBuilding } from "../support/building.ts";
import { claimsOfKey, machineOf } from "../support/keys.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { tryWithClaims } from "./support.ts";

const building = useBuilding();
let held: Holding;
const administrator = building.shared("administrator");
let strangers: readonly Person[];

beforeAll(async () => {
  held = await holding(building);
  const suspended = await building.resident();
  await spotOf(suspended);
  await suspend(building, suspended);
  strangers = [await building.newcomer(), await building.unapproved(), suspended];
});

const inTheWindow = () => `timestamptz '${held.window.start_time}' + interval '1 minute'`;

/** Functions with the rights of their owner, and what an administrator and a stranger get. */
const answers: readonly (readonly [call: () => string, known: unknown, nothing: unknown])[] = [
  [() => `private.claim_exists('${held.claim.id}')`, true, false],
  [() => "cardinality(private.suspended_owners())", 1, 0],
  [() => `private.open_since(${inTheWindow()}) < ${inTheWindow()}`, true, false],
  [() => `private.claims_open_since(${inTheWindow()}) > '-infinity'`, true, false],
  [() => "private.total_availabilities()::int", 1, 0],
  [() => "private.total_claims()::int", 1, 0],
];

/** A key is no approved person, whatever it may. */
async function answerToKey(call: string): Promise<unknown> {
  const key = await machineOf(building, administrator, ["gate", "reports", "events"]);
  const { rows } = await tryWithClaims(building, claimsOfKey(key), (api) =>
    api.query(`select ${call} as answer`),
  );
  return rows[0]?.answer;
}

async function answerTo(who: Person, call: string): Promise<unknown> {
  const { rows } = await who.sql<{ answer: unknown }>(`select ${call} as answer`);
  return rows[0]?.answer;
}

describe("a function that reads past the policies", () => {
  it("answers an approved person", () =>
    holdsForAll(answers, async ([call, known]) =>
      expect(await answerTo(administrator, call())).toBe(known),
    ));

  it("tells nothing to a key, and to a person who is not approved", () =>
    holdsForAll(answers, async ([call, _known, nothing]) => {
      expect(await answerToKey(call())).toBe(nothing);
      for (const who of strangers) expect(await answerTo(who, call())).toBe(nothing);
    }));
});
