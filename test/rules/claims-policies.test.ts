import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, offer, useBuilding, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { isClaimed, stored, suspend } from "../support/rows.ts";
import { deleteClaim, refusedBy, refusedByPolicy, setStatus } from "./support.ts";

const building = useBuilding();
let stranger: Person;
let administrator: Person;
beforeAll(async () => {
  stranger = await building.resident();
  administrator = await building.administrator();
});

const claimsOn = (window: Window) =>
  building.rows(
    "select claimer_id, status from parking.claims where availability_id = $1 order by id",
    [window.id],
  );

describe("approved_account_required", () => {
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
    expect(await isClaimed(building, window.id)).toBe(false);
  });

  it("hides the claims from a party whose approval was taken back", async () => {
    const { owner, claimer, claim } = await holding(building);
    await suspend(building, owner);
    await suspend(building, claimer);

    for (const person of [owner, claimer])
      expect((await person.sql("select from parking.claims")).rowCount).toBe(0);
    for (const statement of [setStatus(claim, "cancelled"), deleteClaim(claim)])
      expect(await claimer.sqlError(...statement)).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
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
      const result = await other.sql(...deleteClaim(claim));
      const error = await other.sqlError("select api.delete_claim($1)", [claim.id]);

      expect(result.rowCount).toBe(0);
      expect(error).toMatchObject(refusedBy("claims_deleted_by_claimer", "42501"));
      expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
    }
  });

  it("lets the claimer delete it", async () => {
    const { claimer, claim } = await holding(building);
    await claimer.sql(...deleteClaim(claim));
    expect(await stored(building, "claims", claim.id)).toBeUndefined();
  });
});
