import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Holding, holding, spotOf, useBuilding } from "../support/building.ts";
import { claimsOfKey, machineOf } from "../support/keys.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { tryWithClaims } from "./support.ts";

const building = useBuilding();
let held: Holding;
const administrator = building.shared("administrator");
let strangers: Readonly<Record<string, Person>>;

beforeAll(async () => {
  held = await holding(building);
  strangers = {
    newcomer: await building.newcomer(),
    unapproved: await building.unapproved(),
    suspended: await building.resident(),
  };
  const { suspended } = strangers;
  if (suspended) await spotOf(suspended).then(() => suspend(building, suspended));
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

async function answerTo(who: Person | undefined, call: string): Promise<unknown> {
  const result = await who?.sql<{ answer: unknown }>(`select ${call} as answer`);
  return result?.rows[0]?.answer;
}

describe("a function that reads past the policies", () => {
  it.each(answers)("answers an approved person: %s", async (call, known) => {
    expect(await answerTo(administrator, call())).toBe(known);
  });

  it.each(answers)("tells nothing to a key: %s", async (call, _known, nothing) => {
    expect(await answerToKey(call())).toBe(nothing);
  });

  describe.each(["newcomer", "unapproved", "suspended"])(
    "tells nothing to a person who is %s",
    (kind) => {
      it.each(answers)("%s", async (call, _known, nothing) => {
        expect(await answerTo(strangers[kind], call())).toBe(nothing);
      });
    },
  );
});
