import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { notGranted, refusedBy } from "./support.ts";

const building = useBuilding();

describe("new_events_are_only_added", () => {
  it.each([
    "update private.new_events set data = data",
    "delete from private.new_events",
    "truncate private.new_events",
  ])("refuses everybody: %s", async (sql) => {
    await expect(building.rows(sql)).rejects.toMatchObject(refusedBy("new_events_are_only_added"));
    expect(await (await building.administrator()).sqlError(sql)).toMatchObject(notGranted);
  });
});
