import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { countInPostgres } from "../../src/limits/limits.ts";
import { useBuilding } from "../support/building.ts";
import { MINUTE, stopClock } from "./clock.ts";
import { times } from "./rates.ts";

const building = useBuilding({
  rateLimits: {
    store: "postgres",
    perMinute: 100,
    perHour: 100,
    profilePerMinute: 100,
    profilePerHour: 100,
  },
});
afterEach(async () => {
  jest.restoreAllMocks();
  await building.rows("delete from private.rate_limits");
});

const limitOf = (name: string, points = 3) => ({ name, points, seconds: 60 });
const charge = async (key: string, limits = [limitOf("any")], points = 1) =>
  countInPostgres(building.service.pool).charge(limits, key, points);

describe("windows in PostgreSQL", () => {
  it("are not written to by refused requests", async () => {
    const standings = await times(20, () => charge("caller"));

    expect(standings.flat().filter(({ isExceeded }) => isExceeded)).toHaveLength(17);
    expect(await building.rows("select points from private.rate_limits")).toEqual([{ points: 3 }]);
  });

  it("are charged until one is exceeded, and the others are looked at", async () => {
    const [first, second, third] = [limitOf("first"), limitOf("second", 1), limitOf("third")];
    await charge("caller", [third], 2);
    const standings = await times(2, () => charge("caller", [first, second, third]));

    expect(standings).toMatchObject([
      [{ remaining: 2 }, { remaining: 0, isExceeded: false }, { remaining: 0, isExceeded: false }],
      [{ remaining: 1 }, { remaining: 0, isExceeded: true }, { remaining: 0, isExceeded: false }],
    ]);
  });

  it("are left out where they are not open and nothing is charged", async () => {
    await charge("caller", [limitOf("first", 1)]);

    const standings = await charge("caller", [limitOf("first", 1), limitOf("second")]);

    expect(standings).toHaveLength(1);
    expect(await building.rows("select key from private.rate_limits")).toHaveLength(1);
  });

  it.each([-1, 1])("end by its clock, wherever that of a process is", async (direction) => {
    await times(3, () => charge("caller"));

    const elsewhere = Date.now() + direction * 2 * MINUTE;
    jest.spyOn(Date, "now").mockReturnValue(elsewhere);

    const [standing] = await charge("caller");
    expect(standing).toMatchObject({ isExceeded: true, remaining: 0 });
    expect(standing?.endsAt).toBeGreaterThan(performance.now());
    expect(standing?.endsAt).toBeLessThanOrEqual(performance.now() + MINUTE);
  });

  it("end on time for a process whose clock is set back", async () => {
    const clock = await stopClock(building.rows);
    await times(4, () => charge("caller"));
    clock.set(-60 * MINUTE);
    expect(await charge("caller")).toMatchObject([{ isExceeded: true }]);
    await clock.pass(MINUTE);

    expect(await charge("caller")).toMatchObject([{ isExceeded: false, remaining: 2 }]);
    clock.goOn();
  });

  it.each([2 / 24, 400])(
    "are over where its clock ran %d days ahead and is set right",
    async (days) => {
      const clock = await stopClock(building.rows);
      const ahead = days * 24 * 60 * MINUTE;
      await clock.pass(ahead);
      await times(4, () => charge("caller"));
      await clock.pass(-ahead);

      expect(await charge("caller", [limitOf("any")], 0)).toEqual([]);
      expect(await charge("caller")).toMatchObject([{ isExceeded: false, remaining: 2 }]);
      expect(await charge("caller")).toMatchObject([{ isExceeded: false, remaining: 1 }]);
      clock.goOn();
    },
  );

  it("are deleted after their end, two for each that is opened", async () => {
    await building.rows(
      `insert into private.rate_limits (key, points, ends_at)
       select 'ended ' || i, 1, now() - make_interval(mins => i) from generate_series(1, 7) as i
       union all
       select 'open', 1, now() + interval '1 minute'`,
    );
    await charge("first");
    await charge("first");
    await charge("second", [limitOf("any"), limitOf("other")]);

    expect(await building.rows("select key from private.rate_limits order by key")).toEqual([
      { key: "any:first" },
      { key: "any:second" },
      { key: "ended 1" },
      { key: "open" },
      { key: "other:second" },
    ]);
  });

  it("are counted by the API role, which can neither read nor delete them", async () => {
    const person = await building.newcomer();
    await person.sql("select private.charge_rate_limits('caller', 1, '{any}', '{3}', '{60}')");
    for (const statement of [
      "select from private.rate_limits",
      "delete from private.rate_limits",
      "update private.rate_limits set points = 0",
      "lock table private.rate_limits",
    ]) {
      expect((await person.sqlError(statement)).code).toBe("42501");
    }
  });
});

it.each(["/nowhere", "/profile"])("a request charges all its windows at once: %s", async (path) => {
  const person = await building.resident();
  let flights = 0;
  const count = () => (flights += 1);
  const { pool } = building.service;
  await person.get("/nowhere");
  pool.on("acquire", count);

  await person.get(path);

  pool.off("acquire", count);
  expect(flights).toBe(path === "/nowhere" ? 1 : 2); // with what it reads
});
