import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { offer, useBuilding } from "../support/building.ts";
import { notGranted, refusedBy, type Statement } from "./support.ts";

const building = useBuilding();

const insertOrigin = (windowId: string): Statement => [
  "insert into private.window_origins (window_id, origin_id) values ($1, uuidv7())",
  [windowId],
];

describe("window_origins_of_a_window", () => {
  it("refuses an origin of none, and lets it go with its window", async () => {
    const { owner, window } = await offer(building);
    await expect(building.rows(...insertOrigin(randomUUID()))).rejects.toMatchObject(
      refusedBy("window_origins_of_a_window", "23503"),
    );
    await building.rows(...insertOrigin(window.id));
    await owner.delete(`/availabilities/${window.id}`, 200);
    expect(await building.rows("table private.window_origins")).toEqual([]);
  });
});

it("is not for the API role, which notes the origin of a window of the caller once", async () => {
  const { owner, claimer, window } = await offer(building);
  expect(await owner.sqlError("table private.window_origins")).toMatchObject(notGranted);
  expect(await owner.sqlError(...insertOrigin(window.id))).toMatchObject(notGranted);

  const [first, second] = [randomUUID(), randomUUID()];
  for (const [person, origin] of [
    [claimer, second],
    [owner, first],
    [owner, second],
  ] as const)
    await person.sql("select private.note_origin($1, $2)", [window.id, origin]);
  expect(
    await building.rows("select origin_id from private.window_origins where window_id = $1", [
      window.id,
    ]),
  ).toEqual([{ origin_id: first }]);
});
