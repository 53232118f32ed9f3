import { describe, expect, it } from "@jest/globals";
import { claimOf, type Holding, holding, hours, offer, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { expectOrder } from "../support/exceptions.ts";
import { backdate, isClaimed, stored, suspend } from "../support/rows.ts";
import { refusedBy, refusedByPolicy } from "./support.ts";

const building = useBuilding();
const administrator = building.shared("administrator");

/** With a reason, as the functions for administrators do it. */
const withReason = (statement: string) =>
  `do $$ begin
     perform private.give_reason('Repairs');
     ${statement};
   end $$`;
const update = ({ claim }: Holding, change: string) =>
  `update parking.claims set ${change} where id = '${claim.id}'`;
const call = ({ claim }: Holding, status = "cancelled") =>
  `select api.cancel_claim('${claim.id}', '${status}', 'Repairs')`;
const statusOf = async ({ claim }: Holding) =>
  ((await stored(building, "claims", claim.id)) as { readonly status: string }).status;
async function completed(): Promise<Holding> {
  const held = await holding(building);
  await held.claimer.put(`/claims/${held.claim.id}`, { status: "completed" }, 200);
  return held;
}

describe("claims_cancelled_by_administrator", () => {
  it.each([
    ["is active", () => holding(building)],
    ["was completed before its end", completed],
  ])("lets an administrator cancel a claim that %s, also by a statement", async (_what, make) => {
    for (const statement of [
      call,
      (held: Holding) => withReason(update(held, "status = 'cancelled'")),
    ]) {
      const held = await make();
      await administrator.sql(statement(held));
      expect(await statusOf(held)).toBe("cancelled");
      expect(await isClaimed(building, held.window.id)).toBe(false);
    }
    await expectOrder(building);
  });

  it("lets them do nothing else, also by the function", async () => {
    const held = await holding(building);
    for (const statement of [
      withReason(update(held, "status = 'completed'")),
      withReason(update(held, `start_time = '${hours(2)}'`)),
      call(held, "completed"),
    ])
      expect(await administrator.sqlError(statement)).toMatchObject(
        refusedByPolicy("claims_cancelled_by_administrator"),
      );
    expect((await administrator.sql(update(held, "status = 'cancelled'"))).rowCount).toBe(0);
    expect(await statusOf(held)).toBe("active");
  });

  it("gives no right to a resident who says a reason", async () => {
    const held = await holding(building);
    const reason = "perform set_config('request.reason', 'Mine', true)";
    for (const statement of [
      call(held),
      `do $$ begin ${reason}; ${update(held, "status = 'cancelled'")}; end $$`,
      `do $$ begin ${reason}; delete from parking.spots where owner_id <> '${held.owner.id}'; end $$`,
    ])
      expect(await held.owner.sqlError(statement)).toMatchObject(
        refusedBy("administrator_required", "42501"),
      );
    expect(await statusOf(held)).toBe("active");
  });
});

describe("claims_closed_stay_closed", () => {
  const closed = refusedBy("claims_closed_stay_closed");
  const cancel = "status = 'cancelled'";

  it("binds the parties, and the owner of the database", async () => {
    const held = await completed();
    for (const statement of [update(held, cancel), withReason(update(held, cancel))])
      expect(await held.claimer.sqlError(statement)).toMatchObject(closed);
    expect((await held.owner.sql(update(held, cancel))).rowCount).toBe(0);
    await expect(building.rows(update(held, cancel))).rejects.toMatchObject(closed);
    expect(await statusOf(held)).toBe("completed");
  });

  it.each([
    ["but cancelled", "status = 'active'", completed],
    ["but cancelled", "status = 'completed'", completed],
    ["but cancelled", "end_time = end_time", completed],
    ["with its times", `${cancel}, start_time = '${hours(2)}'`, completed],
    ["with its times", `${cancel}, end_time = '${hours(3)}'`, completed],
    [
      "while it lasts",
      cancel,
      async () => {
        const held = await completed();
        await backdate(building, "claims", held.claim, -5, -1);
        return held;
      },
    ],
    [
      "once",
      cancel,
      async () => {
        const held = await completed();
        await administrator.sql(call(held));
        return held;
      },
    ],
  ])("lets an administrator change a completed claim %s only: %s", async (_how, change, make) => {
    const held = await make();
    const before = await statusOf(held);
    expect(await administrator.sqlError(withReason(update(held, change)))).toMatchObject(closed);
    expect(await statusOf(held)).toBe(before);
  });
});

describe("claims_of_an_approved_owner", () => {
  const rule = "claims_of_an_approved_owner";

  it("refuses a claim on the spot of somebody who is no longer approved", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    await suspend(building, owner);
    // A resident does not see the window, so the statement names all.
    const insert = `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
                    values ($1, $2, $3, $4, $5)`;
    const values = [window.id, spot.id, owner.id, window.start_time, window.end_time];
    expect(await claimer.sqlError(insert, values)).toMatchObject(refusedBy(rule, "42501"));
    expect(await doors.doorsOf(building)(administrator, doors.claim(window))).toBe(rule);
    expect(await isClaimed(building, window.id)).toBe(false);
  });

  it("refuses a claim more time, and lets it be moved within its own, completed and cancelled", async () => {
    const ended = doors.doorsOf(building);
    const { owner, claimer, window } = await offer(building);
    const times = { start_time: hours(2), end_time: hours(4) };
    const claim = await claimOf(claimer, { ...window, ...times });
    await suspend(building, owner);
    for (const [from, to, end] of [
      [1, 4, rule],
      [2, 5, rule],
      [3, 5, rule],
      [2, 4, "done"],
      [2, 3, "done"],
      [2, 4, rule],
    ] as const)
      expect(await ended(claimer, doors.move(claim, from, to))).toBe(end);
    expect(await ended(claimer, doors.bySql(doors.close(claim, "completed")))).toBe("done");
    expect(await ended(claimer, doors.close(claim, "cancelled"))).toBe("done");
  });
});
