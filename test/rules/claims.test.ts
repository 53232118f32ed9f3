import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Building,
  holding,
  hours,
  offer,
  openBuilding,
  type Window,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";
import {
  insertClaim,
  insertClaimFor,
  missing,
  notGranted,
  refusedBy,
  refusedByPolicy,
  type Statement,
  setStatus,
} from "./support.ts";

let building: Building;
let stranger: Person;
let administrator: Person;
beforeAll(async () => {
  building = await openBuilding();
  stranger = await building.resident();
  administrator = await building.administrator();
});
afterAll(() => building.close());

const deleteClaim = (id: string): Statement => ["delete from parking.claims where id = $1", [id]];
const claimsOn = (window: Window) =>
  building.rows(
    "select claimer_id, status from parking.claims where availability_id = $1 order by id",
    [window.id],
  );
const isClaimed = async (window: Window): Promise<boolean | undefined> => {
  const [row] = await building.rows<{ is_claimed: boolean }>(
    "select is_claimed from parking.availabilities where id = $1",
    [window.id],
  );
  return row?.is_claimed;
};

describe("approved_account_required", () => {
  const suspend = ({ id }: Person) =>
    building.rows("update parking.profiles set is_approved = false where id = $1", [id]);

  it("refuses a claim by a person who is not approved", async () => {
    const { owner, window } = await offer(building);
    const unapproved = await building.unapproved();

    // This person cannot read the window, so the test passes its values.
    const error = await unapproved.sqlError(
      `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
       values ($1, $2, $3, $4, $5)`,
      [window.id, window.spot_id, owner.id, window.start_time, window.end_time],
    );

    expect(error).toMatchObject(refusedByPolicy("approved_account_required"));
    expect(await claimsOn(window)).toEqual([]);
    expect(await isClaimed(window)).toBe(false);
  });

  it("hides the claims from a party whose approval was taken back", async () => {
    const { owner, claimer, claim } = await holding(building);
    await suspend(owner);
    await suspend(claimer);

    const results = [
      await owner.sql("select from parking.claims"),
      await claimer.sql("select from parking.claims"),
      await claimer.sql(...setStatus(claim, "cancelled")),
      await claimer.sql(...deleteClaim(claim.id)),
    ];

    expect(results.map(({ rowCount }) => rowCount)).toEqual([0, 0, 0, 0]);
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
  });
});

describe("claims_not_by_owner", () => {
  it("refuses a claim by the owner of the spot", async () => {
    const { owner, window } = await offer(building);
    const broken = refusedBy("claims_not_by_owner");

    expect(await owner.sqlError(...insertClaim(window))).toMatchObject(broken);
    await expect(building.rows(...insertClaimFor(owner.id, window))).rejects.toMatchObject(broken);

    expect(await claimsOn(window)).toEqual([]);
    expect(await isClaimed(window)).toBe(false);
  });

  it("is checked before the rules about times", async () => {
    const { owner, window } = await offer(building);
    const error = await owner.sqlError(...insertClaim(window, hours(9), hours(-9)));
    expect(error).toMatchObject(refusedBy("claims_not_by_owner"));
  });

  it.each(["resident", "administrator"] as const)(
    "lets another person who is %s claim it",
    async (who) => {
      const { window } = await offer(building);
      const person = await building[who]();
      await person.sql(...insertClaim(window));
      expect(await claimsOn(window)).toEqual([{ claimer_id: person.id, status: "active" }]);
      expect(await isClaimed(window)).toBe(true);
    },
  );

  it("lets owners claim each other's spots", async () => {
    const [mine, yours] = [await offer(building), await offer(building)];
    await mine.owner.sql(...insertClaim(yours.window));
    await yours.owner.sql(...insertClaim(mine.window));
    expect(await isClaimed(mine.window)).toBe(true);
    expect(await isClaimed(yours.window)).toBe(true);
  });
});

describe("claims_made_by_a_resident", () => {
  const broken = refusedBy("claims_made_by_a_resident", "23503");

  it("refuses the owner of the database a claim for a person without a profile", async () => {
    const { window } = await offer(building);
    const newcomer = await building.newcomer();
    const claim = building.rows(...insertClaimFor(newcomer.id, window));
    await expect(claim).rejects.toMatchObject(broken);
    expect(await claimsOn(window)).toEqual([]);
  });

  it("refuses to delete the profile of a claimer", async () => {
    const { claimer } = await holding(building);
    const deletion = building.rows("delete from parking.profiles where id = $1", [claimer.id]);
    await expect(deletion).rejects.toMatchObject(broken);
    expect(await stored(building, "profiles", claimer.id)).toMatchObject({ id: claimer.id });
  });

  it("lets the owner of the database claim for a resident", async () => {
    const { claimer, window } = await offer(building);
    await building.rows(...insertClaimFor(claimer.id, window));
    expect(await claimsOn(window)).toEqual([{ claimer_id: claimer.id, status: "active" }]);
  });

  it("always makes the caller the claimer", async () => {
    const { claimer, window } = await offer(building);
    const forged = insertClaimFor(claimer.id, window);
    expect(await stranger.sqlError(...forged)).toMatchObject(notGranted);
    await expect(building.rows(...insertClaim(window))).rejects.toMatchObject(
      missing("claimer_id"),
    );
    expect(await claimsOn(window)).toEqual([]);
  });
});

describe("claims_of_an_availability", () => {
  const broken = refusedBy("claims_of_an_availability", "23503");
  const references = ["availability_id", "spot_id", "owner_id"];

  const valuesFor = (window: Window, owner: Person) => ({
    availability_id: window.id,
    spot_id: window.spot_id,
    owner_id: owner.id,
    start_time: window.start_time,
    end_time: window.end_time,
  });
  const insert = (values: Readonly<Record<string, string | null>>): Statement => {
    const columns = Object.keys(values);
    const parameters = columns.map((_, index) => `$${index + 1}`);
    return [
      `insert into parking.claims (${columns.join()}) values (${parameters.join()})`,
      Object.values(values),
    ];
  };

  it.each(references)("refuses a %s that is not the window's", async (reference) => {
    const { owner, claimer, window } = await offer(building);
    const forged = { ...valuesFor(window, owner), [reference]: stranger.id };

    expect(await claimer.sqlError(...insert(forged))).toMatchObject(broken);
    const byOwner = building.rows(...insert({ ...forged, claimer_id: claimer.id }));
    await expect(byOwner).rejects.toMatchObject(broken);

    expect(await claimsOn(window)).toEqual([]);
  });

  it.each(references)("still requires %s", async (reference) => {
    const { owner, claimer, window } = await offer(building);
    const incomplete = { ...valuesFor(window, owner), [reference]: null };
    expect(await claimer.sqlError(...insert(incomplete))).toMatchObject(missing(reference));
  });

  it("refuses owners who claim their own spot with a forged owner_id", async () => {
    const { owner, window } = await offer(building);
    const error = await owner.sqlError(...insert(valuesFor(window, stranger)));
    expect(error).toMatchObject(broken);
  });

  it("accepts the ids of the window", async () => {
    const { owner, claimer, window } = await offer(building);
    await claimer.sql(...insert(valuesFor(window, owner)));
    expect(await claimsOn(window)).toEqual([{ claimer_id: claimer.id, status: "active" }]);
  });
});

describe("claims_one_per_availability", () => {
  const broken = refusedBy("claims_one_per_availability", "23505");

  it.each(["active", "completed"])(
    "refuses a second claim beside one that is %s",
    async (status) => {
      const { claimer, window, claim } = await holding(building);
      await claimer.sql(...setStatus(claim, status));

      for (const person of [claimer, stranger, administrator]) {
        expect(await person.sqlError(...insertClaim(window))).toMatchObject(broken);
      }
      const byOwner = building.rows(...insertClaimFor(stranger.id, window));
      await expect(byOwner).rejects.toMatchObject(broken);

      expect(await claimsOn(window)).toEqual([{ claimer_id: claimer.id, status }]);
    },
  );

  it("refuses a second claim on the part of the window that the first leaves free", async () => {
    const { claimer, window } = await offer(building);
    await claimer.sql(...insertClaim(window, hours(1), hours(2)));
    const error = await stranger.sqlError(...insertClaim(window, hours(3), hours(4)));
    expect(error).toMatchObject(broken);
  });

  it("accepts another claim after one that is cancelled, any number of times", async () => {
    const { claimer, window, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, "cancelled"));
    await claimer.sql(...insertClaim(window));
    await claimer.sql("update parking.claims set status = 'cancelled' where status = 'active'");

    await stranger.sql(...insertClaim(window));

    expect(await claimsOn(window)).toEqual([
      { claimer_id: claimer.id, status: "cancelled" },
      { claimer_id: claimer.id, status: "cancelled" },
      { claimer_id: stranger.id, status: "active" },
    ]);
  });

  it("accepts another claim after one that is deleted", async () => {
    const { claimer, window, claim } = await holding(building);
    await claimer.sql(...deleteClaim(claim.id));
    await stranger.sql(...insertClaim(window));
    expect(await claimsOn(window)).toEqual([{ claimer_id: stranger.id, status: "active" }]);
  });
});

describe("claims_updated_by_claimer", () => {
  it("protects the claims of others; the API function refuses under this name", async () => {
    const { owner, claim } = await holding(building);
    for (const other of [owner, stranger, administrator]) {
      const result = await other.sql(...setStatus(claim, "cancelled"));
      const error = await other.sqlError("select api.update_claim($1, 'cancelled')", [claim.id]);

      expect(result.rowCount).toBe(0);
      expect(error).toMatchObject(refusedBy("claims_updated_by_claimer", "42501"));
      expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
    }
  });

  it("lets the claimer update it", async () => {
    const { claimer, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, "completed"));
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "completed" });
  });
});

describe("claims_deleted_by_claimer", () => {
  it("protects the claims of others; the API function refuses under this name", async () => {
    const { owner, claim } = await holding(building);
    for (const other of [owner, stranger, administrator]) {
      const result = await other.sql(...deleteClaim(claim.id));
      const error = await other.sqlError("select api.delete_claim($1)", [claim.id]);

      expect(result.rowCount).toBe(0);
      expect(error).toMatchObject(refusedBy("claims_deleted_by_claimer", "42501"));
      expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
    }
  });

  it("lets the claimer delete it", async () => {
    const { claimer, claim } = await holding(building);
    await claimer.sql(...deleteClaim(claim.id));
    expect(await stored(building, "claims", claim.id)).toBeUndefined();
  });
});
