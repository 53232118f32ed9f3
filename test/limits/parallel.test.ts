import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { type Service, startService } from "../support/service.ts";
import { type Clock, MINUTE, stopClock } from "./clock.ts";
import { CONNECTIONS, inWaves, remainingOf, statuses } from "./rates.ts";

describe.each([
  ["memory", 1],
  ["postgres", 2],
] as const)("200 requests, many at once, counted in %s, to services: %i", (store, count) => {
  const options = {
    connections: CONNECTIONS,
    rateLimits: { store, perMinute: 100, perHour: 150, profilePerHour: 10 },
  };
  const building = useBuilding(options);
  let others: readonly Service[];
  beforeAll(async () => {
    const url = building.database.url("parking_api");
    others = count === 2 ? [await startService(url, options)] : [];
  });
  afterAll(() => Promise.all(others.map((service) => service.close())));
  let clock: Clock;
  let person: Person;
  let ask: (path: string, i: number) => ReturnType<typeof requestJson>;
  beforeEach(async () => {
    person = await building.newcomer();
    clock = await stopClock(building.rows);
    await identify();
  });
  afterEach(() => clock.goOn());

  /** Each service has an issuer of its own. */
  async function identify(): Promise<void> {
    const { id: sub, email } = person;
    const callers = await Promise.all(
      [building.service, ...others].map(async ({ origin, issuer }) => ({
        origin,
        token: await issuer.token({ sub, email }),
      })),
    );
    ask = (path, i) => {
      const { origin = "", token = "" } = callers[i % count] ?? {};
      return requestJson(origin, "GET", `/api${path}`, { token });
    };
  }

  const storm = (path = "/nowhere") => inWaves(200, (i) => ask(path, i));

  it("succeed a hundred times, each with another count, and as often for GET /profile", async () => {
    const answers = await storm();

    expect(statuses(answers)).toEqual({ 404: 100, 429: 100 });
    const served = answers.filter(({ status }) => status === 404);
    expect(new Set(served.map(remainingOf)).size).toBe(100);
    await clock.pass(MINUTE);
    expect(statuses(await storm("/profile"))).toEqual({ 404: 10, 429: 190 });
  });

  it("at the edge of two windows belong to one of them", async () => {
    await storm();
    await clock.pass(MINUTE - 1);
    expect(statuses(await storm())).toEqual({ 429: 200 });
    await clock.pass(1);
    expect(statuses(await storm())).toEqual({ 404: 50, 429: 150 });
  });

  if (count === 2)
    it("are counted for a service that starts later, too", async () => {
      await storm();
      const [last] = others;
      others = [await startService(building.database.url("parking_api"), options)];
      await last?.close();
      await identify();
      expect(statuses(await storm())).toEqual({ 429: 200 });
    });
});
