import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Claim, holding, hours, offer, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, isClaimed, stored, suspend } from "../support/rows.ts";
import { insertClaim, moveClaim, refusedBy, refusedByPolicy, setStatus } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

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
    for (const statement of [
      `update parking.claims set status = 'cancelled' where id = '${claim.id}'`,
      `delete from parking.spots where id <> '${claim.id}' and owner_id <> '${owner.id}'`,
    ])
      expect(
        await owner.sqlError(
          `do $$ begin
             perform set_config('request.reason', 'Mine', true);
             ${statement};
           end $$`,
        ),
      ).toMatchObject(refusedBy("administrator_required", "42501"));
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "active" });
  });
});

describe("a claim that was completed before its end", () => {
  const asAdministrator = (statement: string) =>
    `do $$ begin
       perform private.give_reason('Repairs');
       ${statement};
     end $$`;
  const closed = refusedBy("claims_closed_stay_closed");

  /** A claim of the first hours, completed at once. */
  async function completed() {
    const held = await holding(building);
    await held.claimer.sql("update parking.claims set status = 'completed' where id = $1", [
      held.claim.id,
    ]);
    return held;
  }

  it.each([
    [
      "by the function",
      (id: string) => `perform api.cancel_claim('${id}', 'cancelled', 'Repairs')`,
    ],
    ["by a statement", (id: string) => cancel.replace("$1", `'${id}'`)],
  ])("is cancelled by an administrator who gives a reason, %s", async (_how, statement) => {
    const { window, claim } = await completed();
    await administrator.sql(asAdministrator(statement(claim.id)));
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "cancelled" });
    expect(await isClaimed(building, window.id)).toBe(false);
    expect(await building.rows("select * from private.count_drifts")).toEqual([]);
  });

  it("stays as it is for its parties and the owner of the database", async () => {
    const { owner, claimer, claim } = await completed();
    expect(await claimer.sqlError(cancel, [claim.id])).toMatchObject(closed);
    expect((await owner.sql(cancel, [claim.id])).rowCount).toBe(0);
    expect(
      await claimer.sqlError(asAdministrator(cancel.replace("$1", `'${claim.id}'`))),
    ).toMatchObject(closed);
    await expect(building.rows(cancel, [claim.id])).rejects.toMatchObject(closed);
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "completed" });
  });

  it.each([
    "status = 'active'",
    "status = 'completed'",
    "end_time = end_time",
    `status = 'cancelled', start_time = '${hours(2)}'`,
    `status = 'cancelled', end_time = '${hours(3)}'`,
  ])("is not changed by an administrator otherwise: %s", async (assignments) => {
    const { claim } = await completed();
    expect(
      await administrator.sqlError(
        asAdministrator(`update parking.claims set ${assignments} where id = '${claim.id}'`),
      ),
    ).toMatchObject(closed);
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "completed" });
  });

  it("stays closed once it is cancelled, and where it was completed after its end", async () => {
    const [first, second] = [await completed(), await completed()];
    await administrator.sql(asAdministrator(cancel.replace("$1", `'${first.claim.id}'`)));
    await backdate(building, "claims", second.claim, -5, -1);
    for (const { claim } of [first, second]) {
      expect(
        await administrator.sqlError("select api.cancel_claim($1, 'cancelled', 'Repairs')", [
          claim.id,
        ]),
      ).toMatchObject(closed);
    }
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

  it("refuses a claim more time, and lets it be moved within its own, completed and cancelled", async () => {
    const [first, second] = [await shortHolding(), await shortHolding()];
    const refused = refusedBy("claims_of_an_approved_owner", "42501");
    for (const { owner } of [first, second]) await suspend(building, owner);

    for (const [from, to] of [
      [1, 4],
      [2, 5],
      [3, 5],
    ] as const) {
      const moved = moveClaim(first.claim, hours(from), hours(to));
      expect(await first.claimer.sqlError(...moved)).toMatchObject(refused);
    }
    await first.claimer.sql(...moveClaim(first.claim, hours(2), hours(4)));
    await first.claimer.sql(...moveClaim(first.claim, hours(2), hours(3)));
    expect(
      await first.claimer.sqlError(...moveClaim(first.claim, hours(2), hours(4))),
    ).toMatchObject(refused);
    await first.claimer.sql(...setStatus(first.claim, "completed"));
    await second.claimer.sql(...setStatus(second.claim, "cancelled"));
  });

  it("does not bind the owner of the database", async () => {
    const { owner, claim } = await shortHolding();
    await suspend(building, owner);
    await building.rows(...moveClaim(claim, hours(1), hours(5)));
  });

  /** A window from hour 1 to 5, claimed from 2 to 4. */
  async function shortHolding() {
    const offered = await offer(building);
    await offered.claimer.sql(...insertClaim(offered.window, hours(2), hours(4)));
    const [claim] = await building.rows<Claim>(
      "select * from parking.claims where availability_id = $1",
      [offered.window.id],
    );
    if (!claim) throw new Error("no claim");
    return { ...offered, claim };
  }
});
