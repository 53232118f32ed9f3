import { afterEach, describe, expect, it } from "@jest/globals";
import { useArena } from "../support/arena.ts";
import { claimOf, spotOf, windowOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { favoriteOf } from "../support/favorite-spots.ts";
import { opened } from "../support/opened.ts";
import type { Person } from "../support/person.ts";

const building = useArena(6);
const ended = doors.doorsOf(building);
const owner = building.shared("resident");
const resident = building.shared("resident");
const spot = opened(() => spotOf(owner));
afterEach(() => building.rows("delete from parking.favorite_spots"));

const insert = (spot_id: string): doors.BothWays => ({
  request: ["POST", "/favorite-spots", { spot_id }],
  sql: ["insert into parking.favorite_spots (spot_id) values ($1)", [spot_id]],
});
const starsOf = ({ id }: Person) =>
  building.rows("select spot_id from parking.favorite_spots where person_id = $1", [id]);

describe("a favourite spot", () => {
  it("favorite_spots_of_a_spot: is a spot", async () => {
    expect(await ended(resident, insert(resident.id))).toBe("favorite_spots_of_a_spot");
    expect(await ended(resident, insert(spot.id))).toBe("done");
    // One's own is nothing special.
    expect(await ended(owner, insert(spot.id))).toBe("done");
  });

  it("goes with the spot, also with one that has a past", async () => {
    const [gone, retired] = [await spotOf(owner), await spotOf(owner)];
    const claim = await claimOf(resident, await windowOf(owner, retired, 1, 5));
    await resident.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    for (const it of [spot, gone, retired]) await favoriteOf(resident, it);
    for (const { id } of [gone, retired]) await owner.delete(`/parking-spots/${id}`, 200);
    expect(await starsOf(resident)).toEqual([{ spot_id: spot.id }]);
    const again = await resident.post("/favorite-spots", { spot_id: retired.id });
    expect([again.status, again.body.error]).toEqual([404, "Parking spot not found"]);
  });
});

it("favorite_spots_100_at_most: a spot that has a star may be given it again", async () => {
  await building.rows(
    `with made as (
       insert into parking.spots (spot_number, building_section, owner_id)
       select 'F-' || n, 'North', $1 from generate_series(1, 100) n
       returning id
     )
     insert into parking.favorite_spots (spot_id, person_id) select id, $2 from made`,
    [owner.id, resident.id],
  );
  const [known] = await building.rows<{ id: string }>(
    "select spot_id as id from parking.favorite_spots limit 1",
  );
  await favoriteOf(resident, known ?? { id: "" });
  expect(await starsOf(resident)).toHaveLength(100);
});

it("two stars for one spot at the same time are one", async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => favoriteOf(resident, spot)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await starsOf(resident)).toHaveLength(1);
});
