import { beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Holding,
  holding,
  hours,
  type Offer,
  offer,
  useBuilding,
  type Window,
} from "../support/building.ts";
import { backdateStart, stored } from "../support/rows.ts";
import { emptyPeriods, firstMoment, lastMoment, periodsBeyondTheCalendar } from "./periods.ts";
import {
  insertClaim,
  insertClaimFor,
  insertWindow,
  later,
  missing,
  moveClaim,
  refusedBy,
  run,
  setStatus,
  tryAsOwner,
} from "./support.ts";

const building = useBuilding();
/** Windows from hour 1 to hour 5, without and with a claim: refused statements change neither. */
let free: Offer;
let held: Holding;
beforeAll(async () => {
  [free, held] = [await offer(building), await holding(building)];
});

const claimsOn = (window: Window) =>
  building.rows<{ start_time: Date; end_time: Date }>(
    "select start_time, end_time from parking.claims where availability_id = $1",
    [window.id],
  );

type Time = string | null;

/** A claim with these times is refused to residents and to the owner of the database. */
async function expectNoClaim(
  start: Time,
  end: Time,
  broken: object,
  { claimer, window }: Offer = free,
): Promise<void> {
  expect(await claimer.sqlError(...insertClaim(window, start, end))).toMatchObject(broken);
  const byOwner = building.rows(...insertClaimFor(claimer.id, window, start, end));
  await expect(byOwner).rejects.toMatchObject(broken);
  expect(await claimsOn(window)).toEqual([]);
}

/** An active claim cannot get these times from its claimer or from the owner of the database. */
async function expectNoMove(
  start: Time,
  end: Time,
  broken: object,
  { claimer, claim }: Holding = held,
): Promise<void> {
  const before = await stored(building, "claims", claim.id);
  expect(await claimer.sqlError(...moveClaim(claim, start, end))).toMatchObject(broken);
  await expect(building.rows(...moveClaim(claim, start, end))).rejects.toMatchObject(broken);
  expect(await stored(building, "claims", claim.id)).toEqual(before);
}

describe("claims_within_availability", () => {
  const broken = refusedBy("claims_within_availability", "23503");
  const [start, end] = [hours(1), hours(5)];

  it.each([
    { what: "before the window", from: later(start, -1000), to: start },
    { what: "after the window", from: end, to: hours(6) },
    { what: "around the window", from: later(start, -1), to: later(end, 1) },
    { what: "over its start by 1 ms", from: later(start, -1), to: end },
    { what: "over its end by 1 ms", from: start, to: later(end, 1) },
    { what: "over its end to the end of time", from: start, to: "9999-12-31T23:59:59.999Z" },
  ])("refuses times $what", async ({ from, to }) => {
    await expectNoClaim(from, to, broken);
    await expectNoMove(from, to, broken);
  });

  it.each([
    { what: "that fill the window", from: start, to: end },
    { what: "inside it", from: hours(2), to: hours(3) },
    { what: "of its first millisecond", from: start, to: later(start, 1) },
    { what: "of its last millisecond", from: later(end, -1), to: end },
  ])("accepts times $what", async ({ from, to }) => {
    const times = [{ start_time: new Date(from), end_time: new Date(to) }];

    const { claimer, window } = await offer(building);
    const moved = await holding(building);
    await claimer.sql(...insertClaim(window, from, to));
    await moved.claimer.sql(...moveClaim(moved.claim, from, to));

    expect(await claimsOn(window)).toEqual(times);
    expect(await claimsOn(moved.window)).toEqual(times);
  });

  it("refuses times that need two adjacent windows", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    await owner.sql(...insertWindow(spot, hours(5), hours(9)));
    const error = await claimer.sqlError(...insertClaim(window, hours(4), hours(6)));
    expect(error).toMatchObject(broken);
  });

  // Another rule refuses this first. Without that rule, this one must still refuse it.
  it.each(["active", "completed"])(
    "refuses to shorten a window below a claim that is %s",
    async (status) => {
      const { claimer, window } = await holding(building);
      await claimer.sql("update parking.claims set status = $1", [status]);
      const shrinking = tryAsOwner(building, async (owner) => {
        await owner.query(
          "alter table parking.availabilities disable trigger availabilities_claimed_are_not_updated",
        );
        await run(owner, [
          "update parking.availabilities set end_time = end_time - interval '1 ms' where id = $1",
          [window.id],
        ]);
      });
      await expect(shrinking).rejects.toMatchObject(broken);
    },
  );
});

describe("claims_start_before_end", () => {
  const broken = refusedBy("claims_start_before_end");
  const start = hours(2);

  it.each(emptyPeriods)("refuses $what", async ({ from, to }) => {
    await expectNoClaim(from, to, broken);
    await expectNoMove(from, to, broken);
  });

  it.each(["infinity", "-infinity"])("refuses one from %s to itself", async (unbounded) => {
    await expectNoClaim(unbounded, unbounded, broken);
    await expectNoMove(unbounded, unbounded, broken);
  });

  it("accepts a claim of 1 ms", async () => {
    const { claimer, window } = await offer(building);
    await claimer.sql(...insertClaim(window, start, later(start, 1)));
    expect(await claimsOn(window)).toHaveLength(1);
  });

  it("still requires both times", async () => {
    await expectNoClaim(null, hours(2), missing("start_time"));
    await expectNoClaim(hours(1), null, missing("end_time"));
    await expectNoMove(null, hours(2), missing("start_time"));
    await expectNoMove(hours(1), null, missing("end_time"));
  });
});

describe("claims_times_are_calendar_dates", () => {
  const broken = refusedBy("claims_times_are_calendar_dates");

  it.each(periodsBeyondTheCalendar)("refuses $what", async ({ from, to }) => {
    await expectNoClaim(from, to, broken);
    await expectNoMove(from, to, broken);
  });

  it("accepts a claim to the last moment of the year 9999", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    await owner.sql(...insertWindow(spot, window.end_time, lastMoment));
    await claimer.sql(
      `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
       select id, spot_id, owner_id, start_time, end_time
         from parking.availabilities
        where end_time = $1`,
      [lastMoment],
    );
    expect((await claimer.sql("select from parking.claims")).rowCount).toBe(1);
  });

  it("does not refuse the first moment of the year 1, unlike other rules", async () => {
    const { claimer, window } = free;
    const error = await claimer.sqlError(...insertClaim(window, firstMoment, hours(2)));
    expect(error).toMatchObject(refusedBy("claims_within_availability", "23503"));
  });
});

describe("claims_start_in_future", () => {
  const broken = refusedBy("claims_start_in_future");
  const passed = hours(-10);
  const openOffer = async (): Promise<Offer> => {
    const offered = await offer(building);
    await backdateStart(building, offered.window, passed);
    return offered;
  };
  const begunClaim = async (): Promise<Holding> => {
    const begun = await holding(building);
    await backdateStart(building, begun.window, passed);
    return begun;
  };

  it.each([
    { what: "a start in the past", start: hours(-2) },
    { what: "the start of a window that has begun", start: passed },
  ])("refuses $what", async ({ start }) => {
    await expectNoClaim(start, hours(5), broken, await openOffer());
  });

  it.each([
    { what: "the present millisecond", start: "date_trunc('ms', clock_timestamp())", pause: 0 },
    {
      what: "a start that passes while the statement runs",
      start: "now() + interval '20 ms'",
      pause: 0.05,
    },
  ])("refuses $what", async ({ start, pause }) => {
    const { claimer, window } = await openOffer();
    const error = await claimer.sqlError(
      `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
       select a.id, a.spot_id, a.owner_id, ${start}, a.end_time
         from parking.availabilities a, pg_sleep($2)
        where a.id = $1`,
      [window.id, pause],
    );
    expect(error).toMatchObject(broken);
    expect(await claimsOn(window)).toEqual([]);
  });

  it("accepts a claim on the rest of a window that has begun", async () => {
    const { claimer, window } = await openOffer();
    await claimer.sql(...insertClaim(window, hours(1), hours(5)));
    expect(await claimsOn(window)).toHaveLength(1);
  });

  it.each([
    { what: "later", start: hours(-9) },
    { what: "1 ms later", start: later(passed, 1) },
  ])("refuses to move a start that has passed $what within the past", async ({ start }) => {
    await expectNoMove(start, hours(5), broken, await begunClaim());
  });

  it("lets a start that has passed stay while the end changes", async () => {
    const { claimer, claim, window } = await begunClaim();
    await claimer.sql(...moveClaim(claim, passed, hours(4)));
    expect(await claimsOn(window)).toEqual([
      { start_time: new Date(passed), end_time: new Date(hours(4)) },
    ]);
  });

  it("lets a start that has passed move to the future", async () => {
    const { claimer, claim, window } = await begunClaim();
    await claimer.sql(...moveClaim(claim, hours(2), hours(5)));
    expect(await claimsOn(window)).toMatchObject([{ start_time: new Date(hours(2)) }]);
  });

  it.each(["completed", "cancelled"])("lets a claim that has begun be %s", async (status) => {
    const { claimer, claim } = await begunClaim();
    await claimer.sql(...setStatus(claim, status));
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });
});
