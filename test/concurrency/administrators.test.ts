import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { spotOf, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { administratorsOf } from "../support/rows.ts";
import { expectConsistency } from "./consistency.ts";
import { describeDuels, type Move, overRest } from "./duel.ts";
import { atOnce, connectionsFor, several, tally } from "./rivals.ts";
import { withTransaction } from "./transaction.ts";

const NONE = "403 Administrator privileges required";

const building = useArena(connectionsFor(8));
afterEach(async () => {
  expect(await administratorsOf(building)).not.toEqual([]);
  await expectConsistency(building);
});

/** Creates this many administrators and removes all others. */
const onlyAdministrators = async (count: number): Promise<Person[]> => {
  const people = await several(count, () => building.administrator());
  const ids = people.map(({ id }) => id);
  await building.rows("update parking.profiles set is_admin = false where id <> all ($1)", [ids]);
  return people;
};

const two = async (): Promise<readonly [Person, Person]> => {
  const [ann, bob] = await onlyAdministrators(2);
  if (ann === undefined || bob === undefined) throw new Error("two administrators were wanted");
  return [ann, bob];
};

const flag = (person: Person, target: Person, flags: Readonly<Record<string, boolean>>): Move => ({
  person,
  operation: "update_profile_flags",
  values: { id: target.id, ...flags },
});
const demote = (person: Person, target: Person) => flag(person, target, { is_admin: false });
const suspend = (person: Person, target: Person) => flag(person, target, { is_approved: false });

describe("two administrators who demote each other", () => {
  it("at one moment: one of them remains", async () => {
    for (let round = 0; round < 10; round++) {
      const [ann, bob] = await two();
      const outcomes = await atOnce(building, [
        () => overRest(building, demote(ann, bob)),
        () => overRest(building, demote(bob, ann)),
      ]);
      const winner = outcomes[0] === "200" ? ann : bob;
      expect(await administratorsOf(building)).toEqual([winner.id]);
      expect(tally(outcomes)).toEqual({ "200": 1, [NONE]: 1 });
    }
  });

  it.each([
    ["commit", NONE],
    ["rollback", "200"],
  ] as const)("the second waits for the first; on %s: %s", async (end, outcome) => {
    const [ann, bob] = await two();
    await withTransaction(building, ann, async (transaction) => {
      await transaction.call("update_profile_flags", { id: bob.id, is_admin: false });
      const ending = overRest(building, demote(bob, ann));
      await transaction.isWaitedFor();
      await transaction.end(end);
      expect(await ending).toBe(outcome);
    });
  });
});

const refusals = {
  last: "409 The last administrator cannot be removed",
  none: NONE,
  suspended: "403 The owner of this parking spot is not approved",
};
describeDuels(() => building, refusals, [
  [
    "two of three administrators demote each other",
    "200 200, none none",
    async () => {
      const [ann, bob] = await two();
      await building.administrator();
      return [demote(ann, bob), demote(bob, ann)];
    },
  ],
  [
    "two administrators resign",
    "200 200, last last",
    async () => {
      const [ann, bob] = await two();
      return [demote(ann, ann), demote(bob, bob)];
    },
  ],
  [
    "an administrator resigns, and the other's account is suspended",
    "200 200, last last",
    async () => {
      const [ann, bob] = await two();
      return [demote(ann, ann), suspend(bob, bob)];
    },
  ],
  // An administrator sees the window of a suspended owner, so the refusal names the rule.
  [
    "an owner is suspended, and their window claimed",
    "200 201, 200 suspended",
    async () => {
      const [ann, bob] = await two();
      const owner = await building.resident();
      const { id, start_time, end_time } = await windowOf(owner, await spotOf(owner));
      const values = { availability_id: id, start_time, end_time };
      return [suspend(ann, owner), { person: bob, operation: "create_claim", values }];
    },
  ],
]);
