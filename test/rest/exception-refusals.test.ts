import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, refusal, refusalOf } from "../support/answers.ts";
import { hours, spotOf, useBuilding } from "../support/building.ts";
import { except, expectOrder, undo } from "../support/exceptions.ts";
import { setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";

const building = useBuilding();
let owner: Person;
let neighbour: Person;
beforeAll(async () => {
  owner = await building.resident();
  neighbour = await building.resident();
});
afterEach(async () => {
  await setLimits(building, {});
  await expectOrder(building);
});

describe("the refusals", () => {
  const times = { start_time: hours(10), end_time: hours(20) };
  it.each([
    ["an end before the start", { end_time: hours(9) }, "end_time must be after start_time"],
    [
      "an end in the past",
      { start_time: hours(-9), end_time: hours(-8) },
      "end_time must be in the future",
    ],
    [
      "more than a year",
      { end_time: hours(10 + 366 * 24 + 1) },
      "An exception lasts 366 days at most",
    ],
  ])("%s", async (_what, other, message) => {
    const answer = await owner.post("/exceptions", { kind: "keep", ...times, ...other });
    expect(answerOf(answer)).toEqual(refusalOf("end_time", 400, message));
  });

  it("another's spot, and one that is not there", async () => {
    const spot = await spotOf(neighbour);
    const body = { kind: "keep", ...times };
    expect(answerOf(await owner.post("/exceptions", { ...body, spot_id: spot.id }))).toEqual(
      refusal(403, "You can only make exceptions for your own spots"),
    );
    expect(answerOf(await owner.post("/exceptions", { ...body, spot_id: randomUUID() }))).toEqual(
      refusal(404, "Parking spot not found"),
    );
  });

  it("an account that is not approved", async () => {
    const waiting = await building.unapproved();
    for (const answer of [
      await waiting.post("/exceptions", { kind: "keep", ...times }),
      await waiting.get("/exceptions"),
      await waiting.delete(`/exceptions/${randomUUID()}`),
    ])
      expect(answerOf(answer)).toEqual(refusal(403, "Account not approved"));
  });

  it("another's exception is not there, also for an administrator", async () => {
    const made = await except(owner, "keep", null, 10, 11);
    const administrator = await building.administrator();
    for (const person of [neighbour, administrator]) {
      const path = `/exceptions/${made.exception.id}`;
      for (const answer of [await person.get(path), await person.delete(path)])
        expect(answerOf(answer)).toEqual(refusal(404, "Exception not found"));
      const list = await person.get<{ total: number }>("/exceptions", 200);
      expect(list.body.total).toBe(0);
    }
    await undo(owner, made);
  });

  it("a fifty-first that has not ended", async () => {
    const planner = await building.resident();
    for (let i = 0; i < 50; i++) await except(planner, "keep", null, i, i + 1);
    const body = { kind: "share", ...times };
    expect(answerOf(await planner.post("/exceptions", body))).toEqual(
      refusal(409, "You have 50 exceptions that have not ended: delete one first"),
    );
  });

  it("a change of more than a thousand windows", async () => {
    const manager = await building.resident();
    for (let i = 0; i < 3; i++) await spotOf(manager);
    await setLimits(building, { longest_window_days: 1 });
    const body = { kind: "share", start_time: hours(1), end_time: hours(1 + 366 * 24) };
    expect(answerOf(await manager.post("/exceptions", body))).toEqual(
      refusal(
        409,
        "The exception would change more than 1000 windows: choose a shorter time or one spot",
      ),
    );
  });
});
