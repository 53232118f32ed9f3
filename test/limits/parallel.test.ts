import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Building, openBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";
import { atOnce, remainingOf, statuses } from "./rates.ts";

/** From 99 down to 0. */
const countdown = Array.from({ length: 100 }, (_, i) => 99 - i);
const descending = (a = 0, b = 0) => b - a;

describe.each(["memory", "postgres"] as const)("200 requests at once, counted in %s", (store) => {
  let building: Building;
  let clock: Clock;
  let person: Person;
  beforeAll(async () => {
    building = await openBuilding({ rateLimits: { store, perMinute: 100, perHour: 150 } });
  });
  afterAll(() => building.close());
  beforeEach(async () => {
    person = await building.newcomer();
    clock = await stopClock(building.rows);
  });
  afterEach(() => clock.goOn());

  const storm = () => atOnce(200, () => person.get("/nowhere"));

  it("succeed a hundred times, each with another count", async () => {
    const answers = await storm();

    expect(statuses(answers)).toEqual({ 404: 100, 429: 100 });
    const served = answers.filter(({ status }) => status === 404);
    expect(served.map(remainingOf).toSorted(descending)).toEqual(countdown);
  });

  it("take from the hour only what succeeded", async () => {
    await storm();
    await clock.pass(MINUTE);

    expect(statuses(await storm())).toEqual({ 404: 50, 429: 150 });
  });

  it("of two people do not affect each other", async () => {
    const other = await building.newcomer();

    const [answers, answersOfOther] = await Promise.all([
      storm(),
      atOnce(100, () => other.get("/nowhere")),
    ]);

    expect(statuses(answers)).toEqual({ 404: 100, 429: 100 });
    expect(statuses(answersOfOther)).toEqual({ 404: 100 });
  });

  it("at the edge of two windows belong to one of them", async () => {
    await storm();
    await clock.pass(MINUTE - 1);
    expect(statuses(await storm())).toEqual({ 429: 200 });
    await clock.pass(1);
    expect(statuses(await storm())).toEqual({ 404: 50, 429: 150 });
  });
});
