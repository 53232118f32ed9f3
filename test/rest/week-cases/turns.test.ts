import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { several } from "../../concurrency/rivals.ts";
import { keepRest } from "../../rules/rest.ts";
import { type Spot, spotOf, useBuilding, type Window } from "../../support/building.ts";
import { type Times, timesOn, windowOn } from "../../support/free-time.ts";
import { setLimits } from "../../support/limits.ts";
import type { Person } from "../../support/person.ts";
import { letPass, tell, toldTo } from "../../support/wishes.ts";

const EACH = 30;
const WAIT = "409 claims_wait_for_offers";

const building = useBuilding();
let administrator: Person;
let owner: Person;
let neighbour: Person;
/** Nobody who waits. */
let passer: Person;
let people: readonly Person[];
let spot: Spot;
beforeAll(async () => {
  administrator = await building.administrator();
  [owner, neighbour, passer] = [
    await building.resident(),
    await building.resident(),
    await building.resident(),
  ];
  people = await several(12, () => building.resident());
});
beforeEach(async () => {
  await setLimits(building, { offer_minutes: EACH });
  await keepRest(building, false);
  spot = await spotOf(owner);
});
afterEach(async () => {
  for (const table of ["wishes", "claims", "availabilities", "notifications"]) {
    await building.rows(`delete from parking.${table}`);
  }
});

const noon = timesOn(3, "10:00", "12:00");
const wait = (person: Person) => person.post("/wishes", noon, 201);
const publish = async (of = owner, on = spot) => {
  const window = await windowOn(of, on, timesOn(3, "08:00", "18:00"));
  await tell(building);
  return window;
};
/** The job runs all the time. */
const pass = async (minutes: number) => {
  for (let left = minutes; left > 0; left -= EACH / 2) {
    await letPass(building, Math.min(left, EACH / 2));
    await tell(building);
  }
};
const told = async (person: Person) => {
  await tell(building);
  return toldTo(person);
};
const outcome = async (person: Person, { id }: Pick<Window, "id">, times: Times = noon) => {
  const { status, headers } = await person.post("/claims", { availability_id: id, ...times });
  return status === 201 ? "claimed" : `${status} ${headers.get("X-Error-Code")}`;
};

describe("twelve people wait for one time", () => {
  beforeEach(async () => {
    for (const person of people) await wait(person);
  });

  it.each([0, 1, 9, 10, 11])("and the turn of number %i is theirs alone", async (number) => {
    const window = await publish();
    await pass(number * EACH + 5);
    for (const [i, person] of people.entries()) {
      // Whose turn is over may not come before whose turn it is.
      if (i !== number) expect(await outcome(person, window)).toBe(WAIT);
    }
    expect(await outcome(passer, window)).toBe(WAIT);
    expect(await outcome(people[number] ?? passer, window)).toBe("claimed");
  });

  it("and nobody comes before them while they are not told yet", async () => {
    const window = await windowOn(owner, spot, timesOn(3, "08:00", "18:00"));
    for (const person of [passer, ...people.slice(1)]) {
      expect(await outcome(person, window)).toBe(WAIT);
    }
    expect(await outcome(people[0] ?? passer, window)).toBe("claimed");
  });

  it("and after the last turn all were told, and anybody may claim", async () => {
    const window = await publish();
    await pass(12 * EACH + 5);
    for (const person of people) expect(await told(person)).toHaveLength(1);
    expect(await outcome(passer, window)).toBe("claimed");
  });

  it.each([
    ["stays", true, "claimed"],
    ["does not stay", false, WAIT],
  ])(
    "and of a window whose rest %s on offer, another time follows from it",
    async (_, isKept, expected) => {
      await keepRest(building, isKept);
      const window = await publish();
      expect(await outcome(passer, window, timesOn(3, "13:00", "14:00"))).toBe(expected);
    },
  );
});

describe("who waits", () => {
  const bob = () => people[0] ?? passer;

  it("has their turn at a second window, when the owner of the first withdraws it", async () => {
    await wait(bob());
    const first = await publish();
    const second = await publish(neighbour, await spotOf(neighbour));
    await owner.delete(`/availabilities/${first.id}`, 200);

    expect(await outcome(passer, second)).toBe(WAIT);
    expect((await told(bob())).map((it) => it.availability_id)).toEqual([second.id]);
    expect(await outcome(bob(), second)).toBe("claimed");
  });

  it("while the owner is suspended, is told when the owner is approved again", async () => {
    const approve = (is_approved: boolean) =>
      administrator.put(`/admin/profiles/${neighbour.id}`, { is_approved }, 200);
    const window = await publish(neighbour, await spotOf(neighbour));
    await approve(false);
    await wait(bob());
    expect(await told(bob())).toEqual([]);

    await approve(true);
    expect((await told(bob())).map((it) => it.availability_id)).toEqual([window.id]);
    expect(await outcome(passer, window)).toBe(WAIT);
    expect(await outcome(bob(), window)).toBe("claimed");
  });

  it("is told of what the end of a claim frees", async () => {
    const window = await publish();
    const { body } = await passer.post<{ claim: { id: string } }>(
      "/claims",
      { availability_id: window.id, ...noon },
      201,
    );
    await wait(bob());
    await passer.put(`/claims/${body.claim.id}`, { status: "cancelled" }, 200);
    expect(await told(bob())).toHaveLength(1);
    expect(await outcome(passer, window)).toBe(WAIT);
    expect(await outcome(bob(), window)).toBe("claimed");
  });

  it("is told of what its owner needed and gives back", async () => {
    const window = await publish();
    const kept = await owner.post<{ exception: { id: string } }>(
      "/exceptions",
      { kind: "keep", spot_id: spot.id, ...timesOn(3, "09:00", "13:00") },
      201,
    );
    await wait(bob());
    expect(await told(bob())).toEqual([]);
    await owner.delete(`/exceptions/${kept.body.exception.id}`, 200);
    expect(await told(bob())).toHaveLength(1);
    expect(await outcome(passer, window)).toBe(WAIT);
    expect(await outcome(bob(), window)).toBe("claimed");
  });
});
