import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { hours, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { except, offeredHours, undo } from "../support/exceptions.ts";
import type { Person } from "../support/person.ts";
import { notGranted, refusedBy, type Statement } from "./support.ts";

const building = useBuilding();

const insertChange = (exceptionId: string, spotId: string): Statement => [
  `insert into private.exception_changes (exception_id, window_id, start_time, end_time, spot_id)
   values ($1, uuidv7(), now(), now(), $2)`,
  [exceptionId, spotId],
];

/** An exception that cut a window of a spot. */
async function scene() {
  const owner = await building.resident();
  const spot = await spotOf(owner);
  await windowOf(owner, spot, 5, 30);
  return { owner, spot, ...(await except(owner, "keep", spot, 10, 20)) };
}
const changes = () => building.rows("table private.exception_changes");

describe("exception_changes_of_an_exception", () => {
  it("refuses a change by none, and lets changes go with their exception", async () => {
    const { spot, exception } = await scene();
    await expect(building.rows(...insertChange(randomUUID(), spot.id))).rejects.toMatchObject(
      refusedBy("exception_changes_of_an_exception", "23503"),
    );
    expect(await changes()).toHaveLength(1);
    await building.rows("delete from parking.exceptions where id = $1", [exception.id]);
    expect(await changes()).toEqual([]);
  });
});

describe("exception_changes_of_a_spot", () => {
  it("refuses a change of none, and lets changes go with their spot", async () => {
    const { owner, spot, exception } = await scene();
    await expect(building.rows(...insertChange(exception.id, randomUUID()))).rejects.toMatchObject(
      refusedBy("exception_changes_of_a_spot", "23503"),
    );
    await owner.delete(`/parking-spots/${spot.id}`, 200);
    expect(await changes()).toEqual([]);
  });
});

it("is not for the API role", async () => {
  const { owner, spot, exception } = await scene();
  expect(await owner.sqlError("table private.exception_changes")).toMatchObject(notGranted);
  expect(await owner.sqlError(...insertChange(exception.id, spot.id))).toMatchObject(notGranted);
});

describe("exceptions_change_1000_windows_at_most", () => {
  it("refuses a new one that takes from more, before it changes any", async () => {
    const person = await building.resident();
    const many = await spotOf(person);
    await building.rows(
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select $1, $2, $3::timestamptz + n * interval '1 hour',
              $3::timestamptz + (n + 1) * interval '1 hour'
         from generate_series(1, 1001) n`,
      [many.id, person.id, hours(0)],
    );
    const call = "select api.create_exception($1, $2, 'keep')";
    expect(await person.sqlError(call, [hours(0), hours(1002)])).toMatchObject(
      refusedBy("exceptions_change_1000_windows_at_most"),
    );
    await person.sql(call, [hours(0), hours(1001)]);
    const left = "select from parking.availabilities where spot_id = $1";
    expect(await building.rows(left, [many.id])).toHaveLength(1);
  });
});

const used = (person: Person, day: string) =>
  building.rows(
    `insert into private.changed_windows as d (person_id, kind, day, number)
     values ($1, 'exception', private.utc_day(now()) + $2::integer, 5000)
     on conflict (person_id, kind) do update set day = excluded.day, number = excluded.number`,
    [person.id, day],
  );

describe("exceptions_change_5000_windows_a_day_at_most", () => {
  it("refuses a window too many on one day, and none on the next", async () => {
    const person = await building.resident();
    const spot = await spotOf(person);
    await windowOf(person, spot, 5, 30);
    const call = "select id from api.create_exception($1, $2, 'keep')";
    const times = [hours(10), hours(20)];

    await used(person, "0");
    expect(await person.sqlError(call, times)).toMatchObject(
      refusedBy("exceptions_change_5000_windows_a_day_at_most"),
    );
    // It may become midnight meanwhile, but not twice.
    await used(person, "-1");
    await person.sql(call, times);
    expect(
      await building.rows(
        "select number from private.changed_windows where person_id = $1 and kind = 'exception'",
        [person.id],
      ),
    ).toEqual([{ number: 1 }]);
  });

  it("lets an exception go, and shares no more by others than that again", async () => {
    const person = await building.resident();
    const spot = await spotOf(person);
    const first = await except(person, "share", spot, 24, 48);
    const second = await except(person, "share", spot, 24, 72);
    await used(person, "0");
    await undo(person, first);
    expect(await offeredHours(person, spot)).toEqual([[48, 72]]);
    await undo(person, second);
  });
});
