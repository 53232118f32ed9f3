import { describe, expect, it } from "@jest/globals";
import { holding, type Spot, spotOf, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { stored, writePastRules } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { insertSpot, missing, refusedBy, type Statement } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const administrator = building.shared("administrator");
const owner = building.shared("resident");
const other = building.shared("resident");

const register = (spot_number: string): doors.Act => ({
  request: ["POST", "/parking-spots", { spot_number, building_section: "North" }],
  sql: insertSpot(spot_number, "North"),
});
const change = ({ id }: Spot, column: string, value: string | boolean | null): doors.Act => ({
  request: ["PUT", `/parking-spots/${id}`, { [column]: value }],
  sql: [`update parking.spots set ${column} = $2 where id = $1`, [id, value]],
});
const verify = (spot: Spot, value: boolean | null): doors.Act => ({
  ...change(spot, "is_verified", value),
  request: ["PUT", `/admin/parking-spots/${spot.id}`, { is_verified: value }],
});
const remove = ({ id }: Spot): doors.Act => ({
  request: ["DELETE", `/parking-spots/${id}`],
  sql: ["delete from parking.spots where id = $1", [id]],
});

describe("who changes a spot", () => {
  it("administrator_required: decides whether it is verified", async () => {
    const spot = await spotOf(owner);
    expect(await ended(owner, verify(spot, true))).toBe("administrator_required");
    expect(await ended(administrator, verify(spot, true))).toBe("done");
    for (const value of [false, null])
      expect(await ended(owner, doors.bySql(verify(spot, value)))).toBe("administrator_required");
    expect(await ended(owner, doors.bySql(verify(spot, true)))).toBe("done");
    expect(await ended(administrator, doors.bySql(verify(spot, null)))).toBe("is_verified");
  });

  it("spots_updated_by_owner: is its owner", async () => {
    const spot = await spotOf(owner);
    for (const [column, value] of [
      ["spot_number", "Mine"],
      ["building_section", "South"],
      ["notes", "Narrow"],
    ] as const) {
      for (const person of [other, administrator])
        expect(await ended(person, change(spot, column, value))).toBe("spots_updated_by_owner");
      expect(await ended(owner, change(spot, column, value))).toBe("done");
    }
  });

  it("spots_deleted_by_owner: is its owner, also by the function", async () => {
    const spot = await spotOf(owner);
    for (const person of [other, administrator]) {
      expect(await ended(person, remove(spot))).toBe("spots_deleted_by_owner");
      expect(await person.sqlError("select api.delete_spot($1)", [spot.id])).toMatchObject(
        refusedBy("spots_deleted_by_owner", "42501"),
      );
    }
    expect(await ended(owner, remove(spot))).toBe("done");
  });
});

describe("spots_with_active_claims_stay", () => {
  it("refuses to delete a spot while a claim of it is active", async () => {
    const held = await holding(building);
    expect(await ended(held.owner, remove(held.spot))).toBe("spots_with_active_claims_stay");
  });

  it.each(["completed", "cancelled"])("lets it be deleted once the claim is %s", async (status) => {
    const { owner, claimer, spot, claim } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { status }, 200);
    await owner.sql(...remove(spot).sql);
    expect(await stored(building, "spots", spot.id)).toMatchObject({
      retired_at: expect.any(Date),
    });
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });
});

describe("spots_spot_number_is_unique", () => {
  const rule = "spots_spot_number_is_unique";
  const clear = () => writePastRules(building, "delete from parking.spots", []);

  it("refuses a number that reads like another", () =>
    holdsForAll(
      [
        ["P-1", "P-1"],
        ["P-1a", "p-1A"],
        ...["P–1", "P‑1", "P−1", "Ｐ-1", "P-\u00b9", "\u24c5-1", "P\u200d-1", "P-1\ufe0e"].map(
          (alike) => ["P-1", alike],
        ),
        ["P -1", "P\u00a0-1"],
        ["P -1", "p\u3000-1"],
        ["Straße 1", "STRASSE 1"],
        ["gasse 1", "GAẞE 1"],
        ["ΟΔΟΣ", "οδος"],
        ["Ga\u0301la", "G\u00e1la"],
        ["\u00c5 1", "a\u030a 1"],
        ["P2", "P\u00b2"],
        ["\u0390 1", "\u03aa\u0301 1"],
      ],
      async ([taken = "", number = ""]) => {
        await clear();
        await owner.sql(...insertSpot(taken, "North"));
        const spot = await spotOf(other);
        for (const person of [owner, other])
          expect(await ended(person, register(number))).toBe(rule);
        expect(await ended(other, change(spot, "spot_number", number))).toBe(rule);
      },
    ));

  it("accepts a number that differs", () =>
    holdsForAll(
      [
        ["P-1", "P-2"],
        ["P 1", "P  1"],
        ["G\u00e1la", "G\u00e0la"],
        ["\u00c5 1", "A 1"],
      ],
      async ([taken = "", number = ""]) => {
        await clear();
        await owner.sql(...insertSpot(taken, "North"));
        expect(await ended(owner, register(number))).toBe("done");
      },
    ));

  it("lets a spot change the case of its number, and frees that of one that is deleted", async () => {
    const spot = await spotOf(owner);
    for (const number of ["lower", "LOWER"])
      expect(await ended(owner, change(spot, "spot_number", number))).toBe("done");
    expect(await ended(owner, remove(spot))).toBe("done");
    expect(await ended(other, register("lower"))).toBe("done");
  });
});

describe("how to get to a spot", () => {
  const write = ({ id, owner_id }: Spot, of = owner_id): doors.Act => ({
    request: ["PUT", `/parking-spots/${id}/access`, { access_notes: "4711" }],
    sql: [
      "insert into parking.spot_access (spot_id, owner_id, access_notes) values ($1, $2, '4711')",
      [id, of],
    ],
  });
  const rewrite = ({ id }: Spot): Statement => [
    "update parking.spot_access set access_notes = '4712' where spot_id = $1",
    [id],
  ];

  it("spot_access_written_by_owner: is written by its owner", async () => {
    const { owner, claimer, spot } = await holding(building);
    for (const person of [claimer, administrator])
      expect(await ended(person, write(spot))).toBe("spot_access_written_by_owner");
    expect(await ended(owner, write(spot))).toBe("done");
    for (const person of [claimer, administrator])
      expect((await person.sql(...rewrite(spot))).rowCount).toBe(0);
    expect((await owner.sql(...rewrite(spot))).rowCount).toBe(1);
  });

  it("spot_access_of_a_spot: is of a spot of who writes it, and goes with it, and is in no event", async () => {
    const spot = await spotOf(owner);
    const forged = doors.bySql(write(spot, other.id));
    expect(await ended(other, forged)).toBe("spot_access_of_a_spot");
    await ended(owner, write(spot));
    expect(await ended(owner, remove(spot))).toBe("done");
    expect(
      await building.rows("select from parking.spot_access where spot_id = $1", [spot.id]),
    ).toEqual([]);
    expect(
      await building.rows(
        "select from private.events e where strpos(to_jsonb(e)::text, '4711') > 0",
      ),
    ).toEqual([]);
  });
});

it("spots_belong_to_a_resident: a spot has an owner, whose profile stays", async () => {
  const broken = refusedBy("spots_belong_to_a_resident", "23503");
  const insertFor = (id: string | null) =>
    building.rows(
      "insert into parking.spots (spot_number, building_section, owner_id) values ('X', 'North', $1)",
      [id],
    );
  await expect(insertFor((await building.newcomer()).id)).rejects.toMatchObject(broken);
  await expect(insertFor(null)).rejects.toMatchObject(missing("owner_id"));
  const person = await building.resident();
  await spotOf(person);
  await expect(
    building.rows("delete from parking.profiles where id = $1", [person.id]),
  ).rejects.toMatchObject(broken);
});
