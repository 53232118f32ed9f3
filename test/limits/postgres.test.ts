import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { countInPostgres } from "../../src/limits/counters.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { MINUTE, stopClock } from "./clock.ts";
import { times } from "./rates.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());
afterEach(async () => {
  jest.restoreAllMocks();
  await building.rows("delete from private.rate_limits");
});

const counter = (points = 3) =>
  countInPostgres(building.service.pool)({ name: "any", points, seconds: 60 });

describe("windows in PostgreSQL", () => {
  it("are not written to by refused requests", async () => {
    const { charge } = counter();

    const standings = await times(20, () => charge("caller", 1));

    expect(standings.filter(({ isExceeded }) => isExceeded)).toHaveLength(17);
    expect(await building.rows("select points from private.rate_limits")).toEqual([{ points: 3 }]);
  });

  it.each([-1, 1])("end by its clock, wherever that of a process is", async (direction) => {
    const { charge, look } = counter();
    await times(3, () => charge("caller", 1));

    const elsewhere = Date.now() + direction * 2 * MINUTE;
    jest.spyOn(Date, "now").mockReturnValue(elsewhere);

    expect(await charge("caller", 1)).toMatchObject({ isExceeded: true, remaining: 0 });
    const standing = await look("caller");
    expect(standing?.endsAt).toBeGreaterThan(performance.now());
    expect(standing?.endsAt).toBeLessThanOrEqual(performance.now() + MINUTE);
  });

  it("end on time for a process whose clock is set back", async () => {
    const clock = await stopClock(building.rows);
    const { charge } = counter();
    await times(4, () => charge("caller", 1));
    clock.set(-60 * MINUTE);
    expect(await charge("caller", 1)).toMatchObject({ isExceeded: true });
    await clock.pass(MINUTE);

    expect(await charge("caller", 1)).toMatchObject({ isExceeded: false, remaining: 2 });
    clock.goOn();
  });

  it("are deleted after their end, when others are opened", async () => {
    await building.rows(
      `insert into private.rate_limits (key, points, ends_at)
       select 'ended ' || i, 1, now() - make_interval(mins => i) from generate_series(1, 5) as i
       union all
       select 'open', 1, now() + interval '1 minute'`,
    );
    const { charge } = counter();
    await charge("first", 1);
    await charge("first", 1);
    await charge("second", 1);

    expect(await building.rows("select key from private.rate_limits order by key")).toEqual([
      { key: "any:first" },
      { key: "any:second" },
      { key: "ended 1" },
      { key: "open" },
    ]);
  });

  it("are counted by the API role, which can neither read nor delete them", async () => {
    const person = await building.newcomer();
    await person.sql("select private.charge_rate_limit('any', 1, 3, 60)");
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
