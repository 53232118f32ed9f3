import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { countInPostgres } from "../../src/limits/counters.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { HOUR, MINUTE } from "./clock.ts";
import { times } from "./rates.ts";

let building: Building;
beforeAll(async () => {
  building = await openBuilding();
});
afterAll(() => building.close());
afterEach(() => {
  jest.useRealTimers();
});

const keys = async () =>
  (await building.rows<{ key: string }>("select key from private.rate_limits")).map(
    ({ key }) => key,
  );

describe("windows in PostgreSQL", () => {
  it("are not written to by refused requests", async () => {
    const { charge } = countInPostgres(building.service.pool)({
      name: "any",
      points: 3,
      seconds: 60,
    });

    const standings = await times(20, () => charge("caller", 1));

    expect(standings.filter(({ isExceeded }) => isExceeded)).toHaveLength(17);
    expect(await building.rows("select points from private.rate_limits")).toEqual([{ points: 3 }]);
  });

  it("are deleted an hour after their end, at the latest five minutes later", async () => {
    await building.rows("delete from private.rate_limits");
    await building.rows("insert into private.rate_limits values ('old', 1, $1), ('newer', 1, $2)", [
      Date.now() - HOUR - 1,
      Date.now() - HOUR + MINUTE,
    ]);
    jest.useFakeTimers({ doNotFake: ["Date", "nextTick", "setImmediate", "queueMicrotask"] });
    countInPostgres(building.service.pool)({ name: "any", points: 1, seconds: 1 });

    jest.advanceTimersByTime(5 * MINUTE - 1);
    expect(await keys()).toContain("old");
    jest.advanceTimersByTime(1);
    for (let i = 0; i < 500 && (await keys()).includes("old"); i += 1) await sleep(10);

    expect(await keys()).toEqual(["newer"]);
  });
});
