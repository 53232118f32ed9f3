import { afterEach, describe, expect, it } from "@jest/globals";
import type { RateLimitConfig } from "../../src/config/config.ts";
import { type Building, openBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { noRate, rateOf, statuses, times } from "./rates.ts";

let building: Building;
afterEach(() => building.close());

async function personUnder(limits: Partial<RateLimitConfig>): Promise<Person> {
  building = await openBuilding({ rateLimits: limits });
  return building.newcomer();
}

describe("a limit of 0", () => {
  it.each([
    ["per minute", { perMinute: 0, perHour: 3 }, "/nowhere"],
    ["per hour", { perMinute: 3, perHour: 0 }, "/nowhere"],
    ["for profiles", { perMinute: 3, perHour: 3 }, "/profile"],
  ])("%s leaves the others", async (_which, limits, path) => {
    const person = await personUnder(limits);

    expect(statuses(await times(4, () => person.get(path)))).toEqual({ 404: 3, 429: 1 });
  });

  it("for all requests leaves those for profiles", async () => {
    const person = await personUnder({ profilePerMinute: 0, profilePerHour: 2 });

    expect(statuses(await times(3, () => person.get("/profile")))).toEqual({ 404: 2, 429: 1 });
    expect(statuses(await times(20, () => person.get("/nowhere")))).toEqual({ 404: 20 });
  });

  it("everywhere leaves no headers", async () => {
    const person = await personUnder({});

    const answers = await times(20, () => person.get("/profile"));

    expect(statuses(answers)).toEqual({ 404: 20 });
    expect(answers.map(rateOf)).toEqual(Array(20).fill(noRate));
  });
});
