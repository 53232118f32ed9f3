import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { type Clock, HOUR, MINUTE, stopClock } from "./clock.ts";
import { rateOf, remainingOf, retryAfter, statuses, times } from "./rates.ts";

describe.each(["memory", "postgres"] as const)("GET /profile, counted in %s", (store) => {
  const building = useBuilding({
    rateLimits: { store, perMinute: 8, perHour: 20, profilePerMinute: 3, profilePerHour: 7 },
  });
  let person: Person;
  let clock: Clock;
  beforeEach(async () => {
    person = await building.newcomer();
    clock = await stopClock(building.rows);
  });
  afterEach(() => clock.goOn());

  const read = () => person.get("/profile");
  const readUntilRefused = () => times(4, read);

  it("has a limit of its own by the minute", async () => {
    const answers = await readUntilRefused();

    expect(answers.map(remainingOf)).toEqual([2, 1, 0, 0]);
    expect(answers.map((answer) => rateOf(answer).limit)).toEqual([3, 3, 3, 3]);
    expect(statuses(answers)).toEqual({ 404: 3, 429: 1 });
    expect(answers.map(retryAfter).at(-1)).toBe(60);
    await clock.pass(MINUTE - 1);
    expect((await read()).status).toBe(429);
    await clock.pass(1);
    expect(remainingOf(await read())).toBe(2);
  });

  it("has a limit of its own by the hour", async () => {
    const reset = Math.ceil((clock.now() + HOUR) / 1000);
    await times(3, read);
    await clock.pass(MINUTE);
    await times(3, read);
    await clock.pass(MINUTE);

    const answers = await times(2, read);

    expect(answers.map(rateOf)).toEqual(Array(2).fill({ limit: 7, remaining: 0, reset }));
    expect(statuses(answers)).toEqual({ 404: 1, 429: 1 });
    expect(answers.map(retryAfter).at(-1)).toBe((HOUR - 2 * MINUTE) / 1000);
  });

  it("counts towards the limits of all requests as well", async () => {
    await readUntilRefused(); // three that count

    const answer = await person.get("/nowhere");

    expect(rateOf(answer)).toMatchObject({ limit: 8, remaining: 4 });
  });

  it("has the rate of all requests where those have less left", async () => {
    await times(7, () => person.get("/nowhere"));

    const answers = await times(2, read);

    expect(answers.map(rateOf)).toMatchObject(Array(2).fill({ limit: 8, remaining: 0 }));
    expect(statuses(answers)).toEqual({ 404: 1, 429: 1 });
  });

  it("does not affect other requests", async () => {
    await readUntilRefused();

    const answers = [
      await person.post("/profile", {}),
      await person.put("/profile", {}),
      await person.get("/profile/"),
      await person.get("/dashboard"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404, 403]);
    expect(answers.map((answer) => rateOf(answer).limit)).toEqual([8, 8, 8, 8]);
  });

  it.each(["/profile?x=1", "/profile?"])("is the same endpoint as %s", async (path) => {
    await readUntilRefused();

    expect((await person.get(path)).status).toBe(429);
  });

  it("is the same endpoint by HEAD", async () => {
    const { origin } = building.service;
    const head = () => requestJson(origin, "HEAD", "/api/profile", { token: person.token });

    expect(statuses(await times(4, head))).toEqual({ 404: 3, 429: 1 });
    expect((await read()).status).toBe(429);
  });
});
