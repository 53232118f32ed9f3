import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored, suspend } from "../support/rows.ts";
import {
  insertSpot,
  missing,
  refusedBy,
  refusedByPolicy,
  type Statement,
  setStatus,
} from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const setSpot = (id: string, assignments: string): Statement => [
  `update parking.spots set ${assignments} where id = $1`,
  [id],
];
const deleteSpot = (id: string): Statement => ["delete from parking.spots where id = $1", [id]];
const spotsOf = ({ id }: Person) =>
  building.rows("select spot_number from parking.spots where owner_id = $1", [id]);

describe("approved_account_required", () => {
  it.each(["newcomer", "unapproved"] as const)(
    "refuses a spot by a person who is %s",
    async (who) => {
      const person = await building[who]();

      const error = await person.sqlError(...insertSpot("A1", "North"));

      expect(error).toMatchObject(refusedByPolicy("approved_account_required"));
      expect(await spotsOf(person)).toEqual([]);
    },
  );

  it("hides owners' spots from them once their approval is taken back", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    await suspend(building, owner);

    expect((await owner.sql("select from parking.spots")).rowCount).toBe(0);
    for (const statement of [setSpot(spot.id, "building_section = 'South'"), deleteSpot(spot.id)])
      expect(await owner.sqlError(...statement)).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
    expect(await stored(building, "spots", spot.id)).toMatchObject({ building_section: "North" });
  });
});

describe("administrator_required", () => {
  const broken = refusedBy("administrator_required", "42501");

  it.each(["is_verified = true", "is_verified = null", "spot_number = 'V', is_verified = true"])(
    "refuses %s by the owner",
    async (change) => {
      const owner = await building.resident();
      const spot = await spotOf(owner);
      const before = await stored(building, "spots", spot.id);

      expect(await owner.sqlError(...setSpot(spot.id, change))).toMatchObject(broken);

      expect(await stored(building, "spots", spot.id)).toEqual(before);
    },
  );

  it("refuses an owner who takes the verification back", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    await administrator.sql(...setSpot(spot.id, "is_verified = true"));

    const error = await owner.sqlError(...setSpot(spot.id, "is_verified = false"));

    expect(error).toMatchObject(broken);
    expect(await stored(building, "spots", spot.id)).toMatchObject({ is_verified: true });
  });

  it("lets an owner set the flag to what it is", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const result = await owner.sql(...setSpot(spot.id, "is_verified = false"));
    expect(result.rowCount).toBe(1);
  });

  it("still requires the flag", async () => {
    const spot = await spotOf(await building.resident());
    const error = await administrator.sqlError(...setSpot(spot.id, "is_verified = null"));
    expect(error).toMatchObject(missing("is_verified"));
  });
});

describe("spots_updated_by_owner", () => {
  const broken = refusedBy("spots_updated_by_owner", "42501");

  it.each(["spot_number = 'Mine'", "building_section = 'South'"])(
    "refuses %s by an administrator who does not own the spot",
    async (change) => {
      const spot = await spotOf(await building.resident());
      const before = await stored(building, "spots", spot.id);

      expect(await administrator.sqlError(...setSpot(spot.id, change))).toMatchObject(broken);

      expect(await stored(building, "spots", spot.id)).toEqual(before);
    },
  );
});

describe("spots_deleted_by_owner", () => {
  it.each(["resident", "administrator"] as const)(
    "protects spots from a person who is %s; the API function refuses under this name",
    async (who) => {
      const spot = await spotOf(await building.resident());
      const other = await building[who]();

      const result = await other.sql(...deleteSpot(spot.id));
      const error = await other.sqlError("select api.delete_spot($1)", [spot.id]);

      expect(result.rowCount).toBe(0);
      expect(error).toMatchObject(refusedBy("spots_deleted_by_owner", "42501"));
      expect(await stored(building, "spots", spot.id)).toMatchObject({ id: spot.id });
    },
  );
});

describe("spots_belong_to_a_resident", () => {
  const broken = refusedBy("spots_belong_to_a_resident", "23503");
  const insertFor = (ownerId: string | null): Statement => [
    "insert into parking.spots (spot_number, building_section, owner_id) values ($1, 'North', $2)",
    [`Of ${ownerId?.slice(-12)}`, ownerId],
  ];

  it("refuses the owner of the database a spot of a person without a profile", async () => {
    const newcomer = await building.newcomer();
    await expect(building.rows(...insertFor(newcomer.id))).rejects.toMatchObject(broken);
    expect(await spotsOf(newcomer)).toEqual([]);
  });

  it("refuses to delete the profile of a person who owns a spot", async () => {
    const owner = await building.resident();
    await spotOf(owner);
    const deletion = building.rows("delete from parking.profiles where id = $1", [owner.id]);
    await expect(deletion).rejects.toMatchObject(broken);
    expect(await stored(building, "profiles", owner.id)).toMatchObject({ id: owner.id });
  });

  it("still requires an owner", async () => {
    await expect(building.rows(...insertFor(null))).rejects.toMatchObject(missing("owner_id"));
  });
});

describe("spots_with_active_claims_stay", () => {
  it("refuses while a claim is active", async () => {
    const { owner, spot, window, claim } = await holding(building);
    const broken = refusedBy("spots_with_active_claims_stay");

    expect(await owner.sqlError(...deleteSpot(spot.id))).toMatchObject(broken);
    await expect(building.rows(...deleteSpot(spot.id))).rejects.toMatchObject(broken);

    expect(await stored(building, "spots", spot.id)).toMatchObject({ id: spot.id });
    expect(await stored(building, "availabilities", window.id)).toMatchObject({ is_claimed: true });
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
  });

  it.each(["completed", "cancelled"])("lets it be deleted once the claim is %s", async (status) => {
    const { owner, claimer, spot, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, status));

    await owner.sql(...deleteSpot(spot.id));

    expect(await stored(building, "spots", spot.id)).toMatchObject({
      retired_at: expect.any(Date),
    });
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });
});
