import { beforeAll, describe, expect, it } from "@jest/globals";
import { hours, offer, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { claimPart, keepRest, layoutOf, piecesOf } from "./rest.ts";
import { moveClaim, setStatus } from "./support.ts";

const building = useBuilding();
let other: Person;
beforeAll(async () => {
  await keepRest(building);
  other = await building.resident();
});

const except = async (owner: Person, kind: string, from: number, to: number) => {
  const body = { kind, start_time: hours(from), end_time: hours(to) };
  const { body: made } = await owner.post<{ exception: { id: string } }>("/exceptions", body, 201);
  return made.exception.id;
};

describe("the rest of a window, where its owner needs the spot", () => {
  it("is not on offer when a claim gives up a part of its time", async () => {
    const { owner, claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 4);
    await except(owner, "keep", 3, 10);
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-4 claimed");

    await claimer.sql(...moveClaim(claim, hours(2), hours(3.5)));
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3.5 claimed");
    await claimer.sql(...setStatus(claim, "cancelled"));
    expect(await layoutOf(building, window)).toBe("1-3 free");
  });
});

describe("the rest of a window that an exception published", () => {
  it("is withdrawn with the exception", async () => {
    const { owner, claimer, window } = await offer(building);
    const id = await except(owner, "share", 5, 10);
    const [, shared] = await piecesOf(building, window);
    if (shared === undefined) throw new Error("nothing is shared");
    await claimPart(claimer, { ...window, id: shared.id }, 6, 7);
    expect(await layoutOf(building, window)).toBe("1-5 free, 5-6 free, 6-7 claimed, 7-10 free");
    await owner.delete(`/exceptions/${id}`, 200);
    expect(await layoutOf(building, window)).toBe("1-5 free, 6-7 claimed");
  });
});

describe("the rest of a window of a pattern", () => {
  it("is of the pattern, and joined with what was one window", async () => {
    const { owner, claimer, window } = await offer(building);
    await building.rows(
      `with made as (
         insert into parking.patterns
           (spot_id, owner_id, weekdays, starts_at, ends_at, first_day)
         values ($1, $2, '{MO}', '10:00', '11:00', '2099-01-01')
         returning id
       )
       update parking.availabilities a
          set pattern_id = m.id,
              pattern_day = '2099-01-01'
         from made m
        where a.id = $3`,
      [window.spot_id, owner.id, window.id],
    );
    const claim = await claimPart(claimer, window, 2, 3);
    await claimPart(other, window, 3, 4);
    const days = () =>
      building.rows(
        `select distinct pattern_id is null as none, pattern_day::text as day
           from parking.availabilities
          where spot_id = $1`,
        [window.spot_id],
      );
    expect(await days()).toEqual([{ none: false, day: "2099-01-01" }]);
    await claimer.sql(...setStatus(claim, "cancelled"));
    expect(await layoutOf(building, window)).toBe("1-3 free, 3-4 claimed, 4-5 free");
  });
});
