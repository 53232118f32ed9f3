import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { isClaimed } from "../support/rows.ts";
import { claim, claimsOn } from "./claiming.ts";

const building = useBuilding();
let owner: Person;
let claimer: Person;
let rival: Person;
beforeAll(async () => {
  owner = await building.resident();
  claimer = await building.resident();
  rival = await building.resident();
});

/** A window from the 10th to the 20th hour. */
const freshWindow = async () => windowOf(owner, await spotOf(owner), 10, 20);

const taken = refusal(400, "This availability has already been claimed");

describe("a window that is claimed", () => {
  it.each([
    ["the same times", 12, 14],
    ["other times of it", 16, 18],
  ])("is refused to another resident for %s", async (_case, from, to) => {
    const window = await freshWindow();
    await claim(claimer, window, 12, 14);

    expect(answerOf(await claim(rival, window, from, to))).toEqual(taken);
    expect(await claimsOn(building, window)).toMatchObject([{ claimer_id: claimer.id }]);
  });

  it("is refused to its claimer for more of it", async () => {
    const window = await freshWindow();
    await claim(claimer, window, 12, 14);

    expect(answerOf(await claim(claimer, window, 16, 18))).toEqual(taken);
    expect(await claimsOn(building, window)).toHaveLength(1);
  });

  it("stays claimed when the claim is completed", async () => {
    const window = await freshWindow();
    const { id } = await claimOf(claimer, window);
    await claimer.put(`/claims/${id}`, { status: "completed" }, 200);

    expect(answerOf(await claim(rival, window, 12, 14))).toEqual(taken);
    expect(await isClaimed(building, window.id)).toBe(true);
  });

  it("may be claimed by anybody else once the claim is cancelled", async () => {
    const window = await freshWindow();
    const { id } = await claimOf(claimer, window);
    await claimer.put(`/claims/${id}`, { status: "cancelled" }, 200);

    expect(await claim(rival, window, 12, 14)).toMatchObject({ status: 201 });
    expect(await claimsOn(building, window)).toMatchObject([
      { claimer_id: claimer.id, status: "cancelled" },
      { claimer_id: rival.id, status: "active" },
    ]);
    expect(await isClaimed(building, window.id)).toBe(true);
  });

  it("may be claimed again by the same resident once the claim is deleted", async () => {
    const window = await freshWindow();
    const { id } = await claimOf(claimer, window);
    await claimer.delete(`/claims/${id}`, 200);

    expect(await claim(claimer, window, 12, 14)).toMatchObject({ status: 201 });
    expect(await isClaimed(building, window.id)).toBe(true);
  });
});
