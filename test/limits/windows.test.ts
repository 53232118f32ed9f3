import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { type Clock, HOUR, MINUTE, stopClock } from "./clock.ts";
import { rateOf, remainingOf, retryAfter, statuses, times } from "./rates.ts";

describe.each(["memory", "postgres"] as const)("windows counted in %s", (store) => {
  const building = useBuilding({ rateLimits: { store, perMinute: 5, perHour: 12 } });
  let person: Person;
  let clock: Clock;
  beforeEach(async () => {
    person = await building.newcomer();
    clock = await stopClock(building.rows);
  });
  afterEach(() => clock.goOn());

  const ask = () => person.get("/nowhere");
  const askUntilRefused = () => times(6, ask);

  it("count down to zero, and then refuse", async () => {
    const answers = await times(7, ask);

    expect(answers.map(remainingOf)).toEqual([4, 3, 2, 1, 0, 0, 0]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429, 429]);
    expect(answers.at(-1)?.body).toEqual({ error: "Too many requests" });
  });

  it("have headers with their limit and the second at which they end", async () => {
    const reset = Math.ceil((clock.now() + MINUTE) / 1000);

    const [first] = await times(4, ask);
    await clock.pass(MINUTE / 2);
    const last = await ask();

    expect(rateOf(first ?? last)).toEqual({ limit: 5, remaining: 4, reset });
    expect(rateOf(last)).toEqual({ limit: 5, remaining: 0, reset });
  });

  it("refuse until their last millisecond", async () => {
    await askUntilRefused();
    await clock.pass(MINUTE - 1);

    const refused = await ask();

    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBe(1);
  });

  it("end after exactly so many seconds, and the next has all points", async () => {
    await askUntilRefused();
    await clock.pass(MINUTE);

    const answers = await askUntilRefused();

    expect(answers.map(remainingOf)).toEqual([4, 3, 2, 1, 0, 0]);
    expect(statuses(answers)).toEqual({ 404: 5, 429: 1 });
    expect(answers.map(retryAfter).at(-1)).toBe(60);
  });

  it("ask nobody to wait longer than they last, where the machine's clock is set back", async () => {
    await askUntilRefused();
    clock.set(-HOUR);

    const refused = await ask();

    expect(retryAfter(refused)).toBe(60);
    expect(rateOf(refused).reset).toBe(Math.ceil((Date.now() + MINUTE) / 1000));
  });

  it("do not last longer for a caller who keeps asking", async () => {
    const reset = Math.ceil((clock.now() + MINUTE) / 1000);
    await askUntilRefused();
    await clock.pass(MINUTE / 2);

    const refused = await ask();

    expect(rateOf(refused)).toEqual({ limit: 5, remaining: 0, reset });
    expect(retryAfter(refused)).toBe(30);
  });

  it("have the headers of the hour when it has less left than the minute", async () => {
    const reset = Math.ceil((clock.now() + HOUR) / 1000);
    await times(5, ask);
    await clock.pass(MINUTE);
    await times(5, ask);
    await clock.pass(MINUTE);

    const answers = await times(3, ask);

    expect(answers.map(rateOf)).toEqual([
      { limit: 12, remaining: 1, reset },
      { limit: 12, remaining: 0, reset },
      { limit: 12, remaining: 0, reset },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
    expect(answers.map(retryAfter).at(-1)).toBe((HOUR - 2 * MINUTE) / 1000);
  });

  it("charge the hour nothing for what the minute refuses", async () => {
    await times(50, ask);
    await clock.pass(MINUTE);
    await times(5, ask);
    await clock.pass(MINUTE);

    expect(remainingOf(await ask())).toBe(1);
  });

  it("have a Retry-After that covers every full window", async () => {
    await times(2, ask);
    await clock.pass(MINUTE);
    await times(5, ask);
    await clock.pass(MINUTE);
    await times(5, ask); // fills the minute and the hour

    const refused = await ask();

    expect(rateOf(refused)).toMatchObject({ limit: 12, remaining: 0 });
    expect(retryAfter(refused)).toBe((HOUR - 2 * MINUTE) / 1000);
  });

  it("are separate for each caller", async () => {
    const other = await building.newcomer();
    await askUntilRefused();

    expect(remainingOf(await other.get("/nowhere"))).toBe(4);
    expect((await ask()).status).toBe(429);
  });

  it("belong to the caller, not to the token", async () => {
    await askUntilRefused();
    const token = await building.service.issuer.token({ sub: person.id, jti: "another" });

    const { origin } = building.service;
    const { status } = await fetch(`${origin}/api/nowhere`, {
      headers: { Authorization: `Bearer ${token}` },
    });

    expect(status).toBe(429);
  });
});
