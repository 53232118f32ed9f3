import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Building, holding, hours, offer, openBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";
import { insertClaim, refusedBy, refusedByPolicy } from "./support.ts";

let building: Building;
let administrator: Person;
beforeAll(async () => {
  building = await openBuilding();
  administrator = await building.administrator();
});
afterAll(() => building.close());

const cancel = "update parking.claims set status = 'cancelled' where id = $1";

describe("claims_cancelled_by_administrator", () => {
  it("lets an administrator cancel, by the function or by a statement", async () => {
    const [first, second] = [await holding(building), await holding(building)];
    await administrator.sql("select api.cancel_claim($1, 'cancelled', 'Repairs')", [
      first.claim.id,
    ]);
    await administrator.sql(
      `do $$ begin
         perform private.give_reason('Repairs');
         update parking.claims set status = 'cancelled' where id = '${second.claim.id}';
       end $$`,
    );
    for (const { claim } of [first, second]) {
      expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "cancelled" });
    }
  });

  it.each(["status = 'completed'", `start_time = '${hours(2)}'`])(
    "refuses an administrator to set %s",
    async (assignment) => {
      const { claim } = await holding(building);
      const error = await administrator.sqlError(
        `do $$ begin
           perform private.give_reason('Repairs');
           update parking.claims set ${assignment} where id = '${claim.id}';
         end $$`,
      );
      expect(error).toMatchObject(refusedByPolicy("claims_cancelled_by_administrator"));
      expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
    },
  );

  it("refuses the function another status than cancelled", async () => {
    const { claim } = await holding(building);
    expect(
      await administrator.sqlError("select api.cancel_claim($1, 'completed', 'Repairs')", [
        claim.id,
      ]),
    ).toMatchObject(refusedByPolicy("claims_cancelled_by_administrator"));
  });

  it("touches nothing without a reason, or for a resident with one", async () => {
    const { owner, claim } = await holding(building);
    expect((await administrator.sql(cancel, [claim.id])).rowCount).toBe(0);
    expect(
      await owner.sqlError("select api.cancel_claim($1, 'cancelled', 'Repairs')", [claim.id]),
    ).toMatchObject(refusedBy("administrator_required", "42501"));
    await owner.sql(
      `do $$ begin
         perform set_config('request.reason', 'Mine', true);
         update parking.claims set status = 'cancelled' where id = '${claim.id}';
         delete from parking.spots where id <> '${claim.id}' and owner_id <> '${owner.id}';
       end $$`,
    );
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
  });
});

describe("claims_of_an_approved_owner", () => {
  it("refuses a claim on the spot of somebody who is no longer approved", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    await building.rows("update parking.profiles set is_approved = false where id = $1", [
      owner.id,
    ]);

    const direct = await claimer.sqlError(
      `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
       values ($1, $2, $3, $4, $5)`,
      [window.id, spot.id, owner.id, window.start_time, window.end_time],
    );

    expect(direct).toMatchObject(refusedBy("claims_of_an_approved_owner", "42501"));
    expect(await administrator.sqlError(...insertClaim(window))).toMatchObject(
      refusedBy("claims_of_an_approved_owner", "42501"),
    );
    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      is_claimed: false,
    });
  });
});
