import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";
import { CONNECTIONS, inWaves, remainingOf, statuses } from "./rates.ts";

describe.each(["memory", "postgres"] as const)(
  "200 requests, many at once, counted in %s",
  (store) => {
    const building = useBuilding({
      connections: 2 * CONNECTIONS, // of two people
      rateLimits: { store, perMinute: 100, perHour: 150 },
    });
    let clock: Clock;
    let person: Person;
    beforeEach(async () => {
      person = await building.newcomer();
      clock = await stopClock(building.rows);
    });
    afterEach(() => clock.goOn());

    const storm = () => inWaves(200, () => person.get("/nowhere"));

    it("succeed a hundred times, each with another count", async () => {
      const answers = await storm();

      expect(statuses(answers)).toEqual({ 404: 100, 429: 100 });
      const served = answers.filter(({ status }) => status === 404);
      expect(new Set(served.map(remainingOf)).size).toBe(100);
    });

    it("of two people do not affect each other", async () => {
      const other = await building.newcomer();

      const [answers, answersOfOther] = await Promise.all([
        storm(),
        inWaves(100, () => other.get("/nowhere")),
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
  },
);
