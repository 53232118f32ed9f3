import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  type Holding,
  hours,
  type Offer,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { except, undo } from "../support/exceptions.ts";
import { backdateStart, isClaimed, stored } from "../support/rows.ts";
import { emptyPeriods, firstMoment, lastMoment, periodsBeyondTheCalendar } from "./periods.ts";
import { layoutOf } from "./rest.ts";
import { insertClaimFor, later, refusedBy, run, tryAsOwner } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);

const owner = building.shared("resident");
const claimer = building.shared("resident");
const rival = building.shared("resident");
const administrator = building.shared("administrator");
/** Two spots, each with a window from hour 10 to 20: one is free, of the other 12 to 18 is claimed. */
let free: Offer;
let held: Holding;
beforeEach(async () => {
  const offer = async (): Promise<Offer> => {
    const spot = await spotOf(owner);
    return { owner, claimer, spot, window: await windowOf(owner, spot, 10, 20) };
  };
  const [one, other] = [await offer(), await offer()];
  const times = { start_time: hours(12), end_time: hours(18) };
  [free, held] = [one, { ...other, claim: await claimOf(claimer, { ...other.window, ...times }) }];
});

const claimsOn = ({ id }: Window) =>
  building.rows(
    "select claimer_id, status from parking.claims where availability_id = $1 order by id",
    [id],
  );
const close = (status: string) => claimer.put(`/claims/${held.claim.id}`, { status }, 200);

/** How it ends to claim these times, and to move a claim to them. */
async function endOf(from: doors.Time, to: doors.Time, isSql = false): Promise<string> {
  const said = isSql ? doors.bySql : (act: doors.Act) => act;
  const claimed = await ended(claimer, said(doors.claim(free.window, from, to)));
  expect(await ended(claimer, said(doors.move(held.claim, from, to)))).toBe(claimed);
  return claimed;
}

describe("claims_within_availability", () => {
  const outside = "claims_within_availability";
  it.each([
    ["fill the window", 10, 20, "done"],
    ["are its beginning", 10, 11, "done"],
    ["are inside it", 14, 15, "done"],
    ["are its end", 19, 20, "done"],
    ["are its first millisecond", 10, later(hours(10), 1), "done"],
    ["are its last millisecond", later(hours(20), -1), 20, "done"],
    ["begin before it", 9, 15, outside],
    ["begin 1 ms before it", later(hours(10), -1), 20, outside],
    ["end after it", 15, 21, outside],
    ["end 1 ms after it", 10, later(hours(20), 1), outside],
    ["end with the calendar", 10, lastMoment, outside],
    ["surround it", 9, 21, outside],
    ["lie before it", 5, 8, outside],
    ["end where it begins", 8, 10, outside],
    ["begin where it ends", 20, 22, outside],
    ["lie after it", 22, 25, outside],
  ])("decides about times that %s", async (_what, from, to, end) => {
    expect(await endOf(from, to)).toBe(end);
  });

  it("refuses times that need two windows, and claims of one alone", async () => {
    const next = await windowOf(owner, free.spot, 20, 30);
    expect(await ended(claimer, doors.claim(free.window, 15, 25))).toBe(outside);
    expect(await ended(claimer, doors.claim(free.window))).toBe("done");
    expect(await isClaimed(building, next.id)).toBe(false);
  });

  // Another rule refuses this first. Without that rule, this one must still refuse it.
  it.each(["active", "completed"])(
    "refuses to shorten a window below a claim that is %s",
    async (status) => {
      await close(status);
      const shrinking = tryAsOwner(building, async (client) => {
        await client.query(
          "alter table parking.availabilities disable trigger availabilities_claimed_are_not_updated",
        );
        await run(client, doors.move(held.window, 10, later(hours(18), -1)).sql);
      });
      await expect(shrinking).rejects.toMatchObject(refusedBy(outside, "23503"));
    },
  );
});

describe("the order of the times", () => {
  it.each(emptyPeriods)("claims_start_before_end: refuses $what", async ({ from, to }) => {
    expect(await endOf(from, to, to === "-infinity")).toBe("claims_start_before_end");
  });

  it.each(periodsBeyondTheCalendar)(
    "claims_times_are_calendar_dates: refuses $what",
    async ({ from, to }) => {
      expect(await endOf(from, to, true)).toBe("claims_times_are_calendar_dates");
    },
  );

  it("allows the first and the last moment, and requires both times", async () => {
    expect(await endOf(firstMoment, 12, true)).toBe("claims_within_availability");
    const last = await building.rows<Window>(
      `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       values ($1, $2, $3, $4) returning *`,
      [free.spot.id, owner.id, hours(30), lastMoment],
    );
    expect(await ended(claimer, doors.claim(last[0] as Window, 30, lastMoment))).toBe("done");
    expect(await endOf(null, 15, true)).toBe("start_time");
    expect(await endOf(15, null, true)).toBe("end_time");
  });
});

describe("claims_start_in_future", () => {
  const past = "claims_start_in_future";

  it("refuses what has passed, also while the statement runs, and no rest of a window", async () => {
    for (const { window } of [free, held]) await backdateStart(building, window, hours(-10));
    expect(await endOf(-2, 15)).toBe(past);
    expect(await ended(claimer, doors.claim(free.window, -10, 15))).toBe(past);
    for (const [start, pause] of [
      ["date_trunc('ms', clock_timestamp())", 0],
      ["now() + interval '20 ms'", 0.05],
    ] as const) {
      const insert = `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
                      select a.id, a.spot_id, a.owner_id, ${start}, a.end_time
                        from parking.availabilities a, pg_sleep($2)
                       where a.id = $1`;
      expect(await ended(claimer, { sql: [insert, [free.window.id, pause]] })).toBe(past);
    }
    expect(await ended(claimer, doors.claim(free.window, 2, 20))).toBe("done");
  });

  it.each([
    ["later within the past", -9, 18, past],
    ["1 ms later", later(hours(-10), 1), 18, past],
    ["nowhere, while the end moves", -10, 20, "done"],
    ["to the future", 1, 20, "done"],
  ])("decides about a start that has passed and moves %s", async (_where, from, to, end) => {
    await backdateStart(building, held.window, hours(-10));
    expect(await ended(claimer, doors.move(held.claim, from, to))).toBe(end);
  });

  it.each(["completed", "cancelled"])("lets a claim that has begun be %s", async (status) => {
    await backdateStart(building, held.window, hours(-10));
    expect(await ended(claimer, doors.close(held.claim, status))).toBe("done");
  });
});

describe("claims_not_by_owner", () => {
  it("refuses the owner of the spot, also an administrator, whatever the times", async () => {
    const theirs = await windowOf(administrator, await spotOf(administrator), 10, 20);
    for (const [person, window] of [
      [owner, free.window],
      [administrator, theirs],
    ] as const) {
      expect(await ended(person, doors.claim(window))).toBe("claims_not_by_owner");
      expect(await ended(person, doors.claim(window, 25, 22))).toBe("claims_not_by_owner");
    }
  });

  it("lets administrators, and owners of other spots, claim it", async () => {
    const theirs = await windowOf(rival, await spotOf(rival), 10, 20);
    expect(await ended(owner, doors.claim(theirs))).toBe("done");
    expect(await ended(rival, doors.claim(free.window))).toBe("done");
    const another = await windowOf(owner, free.spot, 20, 30);
    expect(await ended(administrator, doors.claim(another))).toBe("done");
  });
});

describe("claims_one_per_availability", () => {
  const taken = "claims_one_per_availability";

  it.each(["active", "completed"])("refuses all beside a claim that is %s", async (status) => {
    await close(status);
    for (const person of [claimer, rival, administrator])
      for (const [from, to] of [
        [12, 18],
        [18, 20],
        [10, 20],
      ] as const)
        expect(await ended(person, doors.claim(held.window, from, to))).toBe(taken);
    expect(await claimsOn(held.window)).toEqual([{ claimer_id: claimer.id, status }]);
  });

  it("accepts another after one that is cancelled or deleted, any number of times", async () => {
    await close("cancelled");
    for (const person of [rival, claimer]) {
      const claim = await claimOf(person, held.window);
      expect(await isClaimed(building, held.window.id)).toBe(true);
      expect(await ended(person, doors.remove(claim))).toBe("done");
    }
    await claimOf(rival, held.window);
    // A cancelled claim that goes frees nothing of another's.
    expect(await ended(claimer, doors.remove(held.claim))).toBe("done");
    expect(await isClaimed(building, held.window.id)).toBe(true);
    expect(await claimsOn(held.window)).toEqual([{ claimer_id: rival.id, status: "active" }]);
  });
});

describe("the references of a claim", () => {
  it("claims_of_an_availability: refuses what is not the window's, and what is missing", async () => {
    const { id, spot_id, start_time, end_time } = free.window;
    const good = { availability_id: id, spot_id, owner_id: owner.id };
    const insert = (references: object) => ({
      sql: [
        `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
         values ($1, $2, $3, $4, $5)`,
        [...Object.values(references), start_time, end_time],
      ] as const,
    });
    for (const name of Object.keys(good)) {
      const forged = insert({ ...good, [name]: rival.id });
      expect(await ended(claimer, forged)).toBe("claims_of_an_availability");
      expect(await ended(claimer, insert({ ...good, [name]: null }))).toBe(name);
    }
    const mine = insert({ ...good, owner_id: rival.id });
    expect(await ended(owner, mine)).toBe("claims_of_an_availability");
    expect(await ended(claimer, insert(good))).toBe("done");
    const nowhere = { availability_id: randomUUID(), start_time, end_time };
    expect(answerOf(await claimer.post("/claims", nowhere))).toEqual(
      refusal(404, "Availability not found"),
    );
  });

  it("claims_made_by_a_resident: a claimer has a profile, which stays", async () => {
    const broken = refusedBy("claims_made_by_a_resident", "23503");
    const { id } = await building.newcomer();
    await expect(building.rows(...insertClaimFor(id, free.window))).rejects.toMatchObject(broken);
    await expect(
      building.rows("delete from parking.profiles where id = $1", [claimer.id]),
    ).rejects.toMatchObject(broken);
    await building.rows(...insertClaimFor(claimer.id, free.window));
  });
});

describe("the status of a claim", () => {
  const closing = ["completed", "cancelled"];
  const withTimes = ({ id }: Claim, status: string, from: number, to: number): doors.Act => ({
    request: ["PUT", `/claims/${id}`, { status, start_time: hours(from), end_time: hours(to) }],
    sql: [
      "update parking.claims set status = $2, start_time = $3, end_time = $4 where id = $1",
      [id, status, hours(from), hours(to)],
    ],
  });

  it("claims_begin_active: is active at first", async () => {
    const { start_time, end_time } = free.window;
    for (const [status, refused] of [
      ...[...closing, "expired", ""].map((it) => [it, refusedBy("claims_begin_active")] as const),
      [null, { column: "status" }],
    ] as const)
      await expect(
        building.rows(...insertClaimFor(claimer.id, free.window, start_time, end_time, status)),
      ).rejects.toMatchObject(refused);
  });

  it("claims_status_is_known: becomes no other", async () => {
    for (const status of ["expired", "", "Active", "completed ", "canceled"])
      expect(await ended(claimer, doors.bySql(doors.close(held.claim, status)))).toBe(
        "claims_status_is_known",
      );
    const clear = "update parking.claims set status = null where id = $1";
    expect(await ended(claimer, { sql: [clear, [held.claim.id]] })).toBe("status");
  });

  it.each(["active", ...closing])("may become %s", async (status) => {
    expect(await ended(claimer, doors.close(held.claim, status))).toBe("done");
    expect(await stored(building, "claims", held.claim.id)).toMatchObject({ status });
  });

  it.each(closing)("claims_closed_stay_closed: stays %s, with its times", async (status) => {
    await close(status);
    for (const act of [
      ...["active", ...closing].map((it) => doors.close(held.claim, it)),
      doors.move(held.claim, 13, 17),
      doors.move(held.claim, 12, 18),
      ...["active", ...closing].map((it) => withTimes(held.claim, it, 12, 17)),
    ])
      expect(await ended(claimer, act)).toBe("claims_closed_stay_closed");
  });

  it.each(closing)(
    "claims_close_with_their_times: becomes %s without new times",
    async (status) => {
      for (const [from, to] of [
        [13, 18],
        [12, 17],
        [13, 17],
      ] as const)
        expect(await ended(claimer, withTimes(held.claim, status, from, to))).toBe(
          "claims_close_with_their_times",
        );
      // SQL does not see whether a time that stays was named.
      const same = withTimes(held.claim, status, 12, 18);
      expect(await ended(claimer, doors.bySql(same))).toBe("done");
      const times = { start_time: hours(12), end_time: hours(18) };
      expect(answerOf(await claimer.put(`/claims/${held.claim.id}`, { status, ...times }))).toEqual(
        refusal(400, "Claim times cannot be changed while completing or cancelling the claim"),
      );
      expect(await ended(claimer, withTimes(held.claim, "active", 13, 17))).toBe("done");
    },
  );

  it.each([
    ["active", "done"],
    ["cancelled", "done"],
    ["completed", "claims_completed_are_not_deleted"],
  ])("claims_completed_are_not_deleted: one that is %s, and its deletion", async (status, end) => {
    await close(status);
    expect(await ended(claimer, doors.remove(held.claim))).toBe(end);
  });
});

describe("claims_not_in_kept_time", () => {
  const kept = "claims_not_in_kept_time";

  it.each([
    ["in it", 13, 14, kept],
    ["that begins before it", 12, 13.5, kept],
    ["around it", 12, 15, kept],
    ["beside it", 11.5, 12, "done"],
  ])("decides about a claim %s: all that is connected is taken", async (_where, from, to, end) => {
    const needed = await except(owner, "keep", free.spot, 13, 14);
    expect(await ended(claimer, doors.claim(free.window, from, to))).toBe(end);
    const layout = end === "done" ? "10-13 claimed, 14-20 free" : "10-13 free, 14-20 free";
    expect(await layoutOf(building, free.window)).toBe(layout);
    await undo(owner, needed);
    if (end !== "done")
      expect(await ended(claimer, doors.claim(free.window, from, to))).toBe("done");
  });

  it("lets a claim that is there stay and become shorter, not longer", async () => {
    await except(owner, "keep", held.spot, 15, 19);
    expect(await ended(claimer, doors.move(held.claim, 12, 16))).toBe("done");
    expect(await ended(claimer, doors.move(held.claim, 12, 17))).toBe(kept);
  });
});
