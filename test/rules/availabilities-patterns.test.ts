import { describe, expect, it } from "@jest/globals";
import { claimOf, hours, spotOf, useBuilding } from "../support/building.ts";
import { patternOf, threeDays, windowsOf } from "../support/patterns.ts";
import { stored } from "../support/rows.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();

describe("availabilities_published_by_a_pattern", () => {
  const insert = `insert into parking.availabilities
                    (spot_id, owner_id, start_time, end_time, pattern_id)
                  select s.id, s.owner_id, $2, $3, $4
                    from parking.spots s where s.id = $1`;

  it("refuses a pattern of another spot, or none that is there", async () => {
    const owner = await building.resident();
    const [spot, other] = [await spotOf(owner), await spotOf(owner)];
    const pattern = await patternOf(owner, threeDays(spot));
    const refused = refusedBy("availabilities_published_by_a_pattern", "23503");

    for (const id of [pattern.id, other.id])
      expect(await owner.sqlError(insert, [other.id, hours(1), hours(2), id])).toMatchObject(
        refused,
      );
    await owner.sql(insert, [spot.id, hours(1), hours(2), pattern.id]);
  });

  it("lets windows outlive the pattern", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const pattern = await patternOf(owner, threeDays(spot));
    const [window] = await windowsOf(owner, spot);
    if (!window) throw new Error("no window");
    await claimOf(await building.resident(), window);

    await owner.sql("delete from parking.patterns where id = $1", [pattern.id]);

    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      pattern_id: null,
      is_claimed: true,
    });
  });
});
