import { describe, expect, it } from "@jest/globals";
import {
  type Holding,
  holding,
  hours,
  offer,
  useBuilding,
  type Window,
} from "../support/building.ts";
import { stored } from "../support/rows.ts";
import {
  deleteClaim,
  insertClaimFor,
  later,
  missing,
  moveClaim,
  notGranted,
  refusedBy,
  type Statement,
  setStatus,
} from "./support.ts";

const building = useBuilding();

const closed = ["completed", "cancelled"];

/** A claim to which its claimer gave this status. */
async function claimThatIs(status: string): Promise<Holding> {
  const held = await holding(building);
  await held.claimer.sql(...setStatus(held.claim, status));
  return held;
}

/** Refused to the claimer and to the owner of the database; claim and window do not change. */
async function expectRefusal(
  { claimer, claim, window }: Holding,
  statement: Statement,
  broken: object,
): Promise<void> {
  const rows = async () => [
    await stored(building, "claims", claim.id),
    await stored(building, "availabilities", window.id),
  ];
  const before = await rows();
  expect(await claimer.sqlError(...statement)).toMatchObject(broken);
  await expect(building.rows(...statement)).rejects.toMatchObject(broken);
  expect(await rows()).toEqual(before);
}

describe("claims_begin_active", () => {
  const claimsOn = (window: Window) =>
    building.rows("select status from parking.claims where availability_id = $1", [window.id]);
  const insert = (claimerId: string, window: Window, status: string | null) =>
    building.rows(...insertClaimFor(claimerId, window, window.start_time, window.end_time, status));

  it.each([...closed, "expired", ""])("refuses a new claim that is '%s'", async (status) => {
    const { claimer, window } = await offer(building);
    const broken = refusedBy("claims_begin_active");
    await expect(insert(claimer.id, window, status)).rejects.toMatchObject(broken);
    expect(await claimsOn(window)).toEqual([]);
  });

  it("accepts one that is active", async () => {
    const { claimer, window } = await offer(building);
    await insert(claimer.id, window, "active");
    expect(await claimsOn(window)).toEqual([{ status: "active" }]);
  });

  it("gives the API role no privilege to set the status", async () => {
    const { claimer, window } = await offer(building);
    const error = await claimer.sqlError(
      `insert into parking.claims
         (availability_id, spot_id, owner_id, start_time, end_time, status)
       select id, spot_id, owner_id, start_time, end_time, 'completed'
         from parking.availabilities
        where id = $1`,
      [window.id],
    );
    expect(error).toMatchObject(notGranted);
  });

  it("still requires a status", async () => {
    const { claimer, window } = await offer(building);
    const claim = insert(claimer.id, window, null);
    await expect(claim).rejects.toMatchObject(missing("status"));
  });
});

describe("claims_status_is_known", () => {
  it.each(["expired", "", "Active", "completed ", "canceled"])("refuses '%s'", async (status) => {
    const held = await holding(building);
    const broken = refusedBy("claims_status_is_known");
    await expectRefusal(held, setStatus(held.claim, status), broken);
  });

  it.each(["active", ...closed])("accepts '%s'", async (status) => {
    const { claim } = await claimThatIs(status);
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });

  it("still requires a status", async () => {
    const held = await holding(building);
    await expectRefusal(held, setStatus(held.claim, null), missing("status"));
  });
});

describe("claims_closed_stay_closed", () => {
  const broken = refusedBy("claims_closed_stay_closed");
  const transitions = closed.flatMap((from) =>
    ["active", ...closed, "expired"].map((to) => ({ from, to })),
  );

  it.each(transitions)("refuses to change $from to $to", async ({ from, to }) => {
    const held = await claimThatIs(from);
    await expectRefusal(held, setStatus(held.claim, to), broken);
  });

  it.each(closed)("refuses to change the times of one that is %s", async (status) => {
    const held = await claimThatIs(status);
    await expectRefusal(held, moveClaim(held.claim, hours(2), hours(3)), broken);
  });

  it.each(closed)(
    "refuses an update of one that is %s, even if it keeps the times",
    async (status) => {
      const held = await claimThatIs(status);
      const { start_time, end_time } = held.claim;
      await expectRefusal(held, moveClaim(held.claim, start_time, end_time), broken);
    },
  );

  it.each(["active", ...closed])("lets active become %s", async (status) => {
    const { claimer, claim } = await holding(building);
    expect((await claimer.sql(...setStatus(claim, status))).rowCount).toBe(1);
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });
});

describe("claims_close_with_their_times", () => {
  const close = ({ claim }: Holding, status: string, start: string, end: string): Statement => [
    "update parking.claims set status = $2, start_time = $3, end_time = $4 where id = $1",
    [claim.id, status, start, end],
  ];

  it.each(closed)("refuses to change the times of one that becomes %s", async (status) => {
    const broken = refusedBy("claims_close_with_their_times");
    const held = await holding(building);
    const { start_time, end_time } = held.claim;

    const shorter = close(held, status, start_time, later(end_time, -1));
    await expectRefusal(held, shorter, broken);
    const delayed = close(held, status, later(start_time, 1), end_time);
    await expectRefusal(held, delayed, broken);
  });

  it.each(closed)("lets one that becomes %s keep its times", async (status) => {
    const held = await holding(building);
    const { claim, claimer } = held;
    await claimer.sql(...close(held, status, claim.start_time, claim.end_time));
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });

  it("lets one that stays active change its times", async () => {
    const held = await holding(building);
    await held.claimer.sql(...close(held, "active", hours(2), hours(3)));
    expect(await stored(building, "claims", held.claim.id)).toMatchObject({
      status: "active",
      start_time: new Date(hours(2)),
      end_time: new Date(hours(3)),
    });
  });

  it.each(["start_time", "end_time"])("still requires %s", async (time) => {
    const held = await holding(building);
    const closing: Statement = [
      `update parking.claims set status = 'completed', ${time} = null where id = $1`,
      [held.claim.id],
    ];
    const broken = refusedBy("claims_close_with_their_times");
    await expectRefusal(held, closing, broken);
  });
});

describe("claims_completed_are_not_deleted", () => {
  it("refuses to delete one that is completed", async () => {
    const held = await claimThatIs("completed");
    const broken = refusedBy("claims_completed_are_not_deleted");
    await expectRefusal(held, deleteClaim(held.claim), broken);
  });

  it.each(["active", "cancelled"])("lets one be deleted that is %s", async (status) => {
    const held = await claimThatIs(status);
    await held.claimer.sql(...deleteClaim(held.claim));
    expect(await stored(building, "claims", held.claim.id)).toBeUndefined();
  });
});
