import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { type Spot, useBuilding } from "../support/building.ts";
import { expectUnavailable } from "../support/unavailable.ts";
import { until } from "../support/waiting.ts";

/** The first attempt, and three more. */
const ATTEMPTS = 4;

const building = useBuilding({ connections: 1 });
const person = building.shared("resident");
beforeAll(async () => {
  // A sequence keeps its count when a transaction is rolled back.
  await building.rows("create sequence private.attempts");
  await building.rows(
    `create function private.fail_at_first() returns trigger
       language plpgsql
       security definer
     as $$
     begin
       if nextval('private.attempts') <= tg_argv[1]::integer then
         raise exception using errcode = tg_argv[0];
       end if;
       return new;
     end $$`,
  );
});
afterEach(() => building.rows("drop trigger if exists fail_at_first on parking.spots"));

/** Makes the next inserts of a spot fail with this SQLSTATE, the given number of times. */
const failWith = async (sqlState: string, times: number): Promise<void> => {
  await building.rows("select setval('private.attempts', 1, false)");
  await building.rows(
    `create trigger fail_at_first
       before insert on parking.spots
       for each row execute function private.fail_at_first('${sqlState}', '${times}')`,
  );
};

const attempts = async (): Promise<number> => {
  const [row] = await building.rows<{ count: string }>(
    "select last_value as count from private.attempts",
  );
  return Number(row?.count);
};

const register = (spot_number: string) =>
  person.post("/parking-spots", { spot_number, building_section: "North" });

const registered = (spot_number: string) =>
  building.rows(
    `select e.type
       from parking.spots s
       join private.events e on e.subject_id = s.id
      where s.spot_number = $1`,
    [spot_number],
  );

describe.each([
  ["40001", "a serialization failure"],
  ["40P01", "a deadlock"],
])("%s, %s", (sqlState) => {
  it.each([1, ATTEMPTS - 1])(
    "%i times: the request succeeds, and has its effect once",
    async (times) => {
      await failWith(sqlState, times);
      const spotNumber = `${sqlState}-${times}`;
      expect(await register(spotNumber)).toMatchObject({ status: 201 });
      expect(await attempts()).toBe(times + 1);
      expect(await registered(spotNumber)).toEqual([{ type: "spot.registered" }]);
    },
  );

  it("every time: 503 and Retry-After, and nothing is written", async () => {
    await failWith(sqlState, 100);
    expectUnavailable(await register(sqlState));
    expect(await attempts()).toBe(ATTEMPTS);
    expect(await registered(sqlState)).toEqual([]);
  });
});

it("a migration that adds a column while a request waits for its table lets it through", async () => {
  const { body } = await person.post<{ spot: Spot }>(
    "/parking-spots",
    { spot_number: "Widened", building_section: "North" },
    201,
  );
  await withClient(building.database.url("parking_owner"), async (migration) => {
    await migration.query("begin");
    await migration.query("alter table parking.spots add column more text");
    const path = `/parking-spots/${body.spot.id}`;
    const answered = person.put<{ spot: Spot }>(path, { building_section: "South" });
    await until("a request that waits", async () => {
      const { rowCount } = await migration.query(
        "select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))",
      );
      return rowCount === 1;
    });
    await migration.query("commit");
    expect(await answered).toMatchObject({
      status: 200,
      body: { spot: { building_section: "South" } },
    });
  });
});

describe("an error that a retry would not change", () => {
  it.each([
    ["23514", 400],
    ["23505", 409],
    ["42501", 403],
    ["57014", 503],
    ["XX000", 500],
  ])("%s is not retried", async (sqlState, status) => {
    await failWith(sqlState, 100);
    expect((await register(sqlState)).status).toBe(status);
    expect(await attempts()).toBe(1);
  });
});
