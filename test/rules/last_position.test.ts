import { describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { notGranted, refusedBy } from "./support.ts";

const building = useBuilding();

describe("last_position_is_one", () => {
  it("refuses a second row, which only the owner of the database could write", async () => {
    const sql = "insert into private.last_position (position) values (7)";
    await expect(building.rows(sql)).rejects.toMatchObject(
      refusedBy("last_position_is_one", "23505"),
    );
    expect(await (await building.administrator()).sqlError(sql)).toMatchObject(notGranted);
  });
});
