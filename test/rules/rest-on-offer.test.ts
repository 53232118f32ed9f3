import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  type Claim,
  hours,
  type Offer,
  offer,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { except, expectOrder, undo } from "../support/exceptions.ts";
import { freeSpans, freeSpansBySql, shownOf } from "../support/free-time.ts";
import { setLimits } from "../support/limits.ts";
import { backdate, backdateStart, eventsOf, stored } from "../support/rows.ts";
import { claimPart, keepRest, layoutOf } from "./rest.ts";
import { insertClaimFor, refusedBy } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const other = building.shared("resident");
/** A window from hour 1 to 5, of which the third is claimed. */
let held: Offer & { readonly claim: Claim };
beforeEach(async () => {
  await keepRest(building);
  const offered = await offer(building);
  held = { ...offered, claim: await claimPart(offered.claimer, offered.window, 2, 3) };
});
afterEach(() => expectOrder(building));

const layout = () => layoutOf(building, held.window);
const span = (from: number, to: number) => ({ start_time: hours(from), end_time: hours(to) });
/** What the owner was notified of, oldest first. */
const notified = async () => {
  const of = "select kind from parking.notifications where recipient_id = $1 order by id";
  return (await building.rows(of, [held.owner.id])).map(({ kind }) => kind);
};
const typesOf = async (id: string) => (await eventsOf(building, id)).map(({ type }) => type);

describe("a claim of a part of a window", () => {
  it("takes its time, and leaves the rest and the window as they are", async () => {
    const { claim, spot, window } = held;
    expect(claim.availability_id).toBe(window.id);
    expect(await layout()).toBe("1-2 free, 2-3 claimed, 3-5 free");
    const free = [span(1, 2), span(3, 5)];
    const shown = { ...window, updated_at: expect.anything() };
    expect(await shownOf(other, spot)).toEqual([{ ...shown, free }]);
    expect(await freeSpans(other, spot)).toEqual(free);
    expect(await freeSpansBySql(other, spot)).toEqual(free);
    expect(await typesOf(window.id)).toEqual(["availability.created"]);
    expect(await notified()).toEqual(["claim.submitted"]);

    for (const [from, to] of [
      [3, 5],
      [1, 2],
    ] as const)
      expect(await ended(other, doors.claim(window, from, to))).toBe("done");
    expect(await shownOf(other, spot)).toEqual([{ ...shown, is_claimed: true }]);
    expect(await stored(building, "availabilities", window.id)).toMatchObject({ free: null });
  });

  it("is found where all of a time is free in one part", async () => {
    const found = async (from: number, to: number) => {
      const query = `spot_id=${held.spot.id}&free_from=${hours(from)}&free_until=${hours(to)}`;
      return (await other.get<{ total: number }>(`/availabilities?${query}`, 200)).body.total;
    };
    expect(await Promise.all([found(1, 2), found(3, 5), found(1, 4), found(2, 3)])).toEqual([
      1, 1, 0, 0,
    ]);
  });

  it.each([
    ["that another has", 2.5, 4, "claims_one_per_availability"],
    ["on both sides of another's claim", 1.5, 4, "claims_one_per_availability"],
    ["beyond the window", 4, 6, "claims_within_availability"],
    ["in the wrong order", 4.5, 3.5, "claims_start_before_end"],
  ])("is refused for time %s", async (_what, from, to, rule) => {
    expect(await ended(other, doors.claim(held.window, from, to))).toBe(rule);
  });

  it("takes what is connected, where the building does not want rests, whatever was before", async () => {
    await keepRest(building, false);
    expect(await ended(other, doors.claim(held.window, 4, 4.5))).toBe("done");
    expect(await layout()).toBe("1-2 free, 2-3 claimed, 3-5 claimed");

    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    for (const act of [doors.move(claim, 2, 4), doors.close(claim, "completed")]) {
      expect(await layoutOf(building, window)).toBe("1-5 claimed");
      expect(await ended(claimer, act)).toBe("done");
    }
    expect(await layoutOf(building, window)).toBe("1-5 claimed");
    const taken = "claims_one_per_availability";
    expect(await ended(other, doors.claim(window, 4, 5))).toBe(taken);
  });
});

describe("time that is given back", () => {
  it.each([
    ["cancelled", (claim: Claim) => doors.close(claim, "cancelled")],
    ["deleted", doors.remove],
  ])("is free where a claim is %s, with what is beside it", async (_how, giveBack) => {
    const second = await claimPart(other, held.window, 4, 5);
    expect(await ended(held.claimer, giveBack(held.claim))).toBe("done");
    expect(await layout()).toBe("1-4 free, 4-5 claimed");
    expect(await ended(other, giveBack(second))).toBe("done");
    expect(await ended(other, doors.claim(held.window))).toBe("done");
  });

  it("is free for several claims that one statement ends, also of the owner of the database", async () => {
    const { spot, window } = held;
    await building.rows(...insertClaimFor(other.id, window, hours(3), hours(4)));
    expect(await layout()).toBe("1-2 free, 2-3 claimed, 3-4 claimed, 4-5 free");
    for (const sql of [
      "update parking.claims set status = 'cancelled' where spot_id = $1",
      "delete from parking.claims where spot_id = $1",
    ]) {
      await building.rows(sql, [spot.id]);
      expect(await layout()).toBe("1-5 free");
    }
  });

  it("is free when the claimer is erased", async () => {
    await building.rows("select private.erase_person($1)", [held.claimer.id]);
    expect(await layout()).toBe("1-5 free");
  });
});

describe("a claim that is completed", () => {
  it("early, ends then: the rest of its time is free, whatever the limits of claims", async () => {
    const { claimer, window, claim } = held;
    await backdate(building, "availabilities", window, -2, 5);
    await backdate(building, "claims", claim, -1, 3);
    await building.rows("select private.recount()");
    for (const limits of [{ shortest_claim_minutes: 600 }, { longest_claim_minutes: 1 }]) {
      await setLimits(building, limits);
      expect(await ended(claimer, doors.bySql(doors.close(claim, "completed")))).toBe("done");
    }
    await setLimits(building, {});
    expect(await ended(claimer, doors.close(claim, "completed"))).toBe("done");
    expect(
      await building.rows(
        `select c.status, c.end_time <= c.updated_at as is_over, upper(c.takes) = c.end_time as is_given_back,
                private.free_times(a) @> tstzrange(c.end_time, a.end_time) as is_free
           from parking.claims c
           join parking.availabilities a on a.id = c.availability_id
          where c.id = $1`,
        [claim.id],
      ),
    ).toEqual([{ status: "completed", is_over: true, is_given_back: true, is_free: true }]);
    expect(await typesOf(claim.id)).toEqual(["claim.submitted", "claim.completed"]);
    expect(await notified()).toEqual(["claim.submitted", "claim.completed"]);
    const late = "select api.cancel_claim($1, 'cancelled', 'a reason')";
    expect(await (await building.administrator()).sqlError(late, [claim.id])).toMatchObject(
      refusedBy("claims_closed_stay_closed"),
    );
  });

  it("early, frees also what it took before the building wanted rests", async () => {
    await keepRest(building, false);
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 1, 5);
    await backdateStart(building, window, hours(-2));
    await building.rows("select private.recount()");
    await keepRest(building);
    expect(await ended(claimer, doors.close(claim, "completed"))).toBe("done");
    const free = [{ end_time: hours(5) }];
    expect(await stored(building, "availabilities", window.id)).toMatchObject({ free });
  });

  it("before its beginning, keeps its time", async () => {
    expect(await ended(held.claimer, doors.close(held.claim, "completed"))).toBe("done");
    expect(await layout()).toBe("1-2 free, 2-3 claimed, 3-5 free");
  });
});

describe("a claim that is moved", () => {
  it.each([
    ["into the rest after it", 2, 4, "1-2 free, 2-4 claimed, 4-5 free"],
    ["into the rest before it", 1, 3, "1-3 claimed, 3-5 free"],
    ["over all that is free", 1, 5, "1-5 claimed"],
    ["beside its old time", 3, 5, "1-3 free, 3-5 claimed"],
    ["to a part of its time", 2.25, 2.75, "1-2.25 free, 2.25-2.75 claimed, 2.75-5 free"],
    ["to before all of it", 1.25, 1.5, "1-1.25 free, 1.25-1.5 claimed, 1.5-5 free"],
  ])("%s takes and gives back time", async (_where, from, to, expected) => {
    const { claimer, claim } = held;
    expect(await ended(claimer, doors.move(claim, from, to))).toBe("done");
    expect(await layout()).toBe(expected);
    expect(await typesOf(claim.id)).toEqual(["claim.submitted", "claim.updated"]);
    expect(await notified()).toEqual(["claim.submitted"]);
    expect(await ended(claimer, doors.close(claim, "cancelled"))).toBe("done");
    expect(await layout()).toBe("1-5 free");
  });

  it.each([
    ["beyond its window", 3, 6, "claims_within_availability"],
    ["over another's claim", 2, 5, "claims_one_per_availability"],
    ["into another's claim", 3.5, 4.5, "claims_one_per_availability"],
  ])("%s is refused", async (_where, from, to, rule) => {
    const { owner, claimer, spot, window, claim } = held;
    await windowOf(owner, spot, 5, 7);
    if (to < 6) await claimPart(other, window, 4, 5);
    expect(await ended(claimer, doors.move(claim, from, to))).toBe(rule);
  });
});

describe("a window of which a part is claimed", () => {
  it("is not moved or deleted by its owner, who may keep it", async () => {
    const { owner, claimer, spot, window, claim } = held;
    const acts = [doors.move(window, 2, 4), doors.remove(window)];
    for (const [i, verb] of ["updated", "deleted"].entries())
      expect(await ended(owner, acts[i] as doors.Act)).toBe(
        `availabilities_claimed_are_not_${verb}`,
      );
    const kept = await except(owner, "keep", spot, 1.5, 4);
    expect(kept.claims).toMatchObject([{ id: claim.id }]);
    expect(await layout()).toBe("1-1.5 free, 2-3 claimed, 4-5 free");
    expect(await ended(claimer, doors.close(claim, "cancelled"))).toBe("done");
    expect(await layout()).toBe("1-1.5 free, 4-5 free");
    await undo(owner, kept);
    expect(await layout()).toBe("1-5 free");
  });

  it("is no window that nobody claimed", async () => {
    const { owner, window, claim } = held;
    const alone = await windowOf(owner, await spotOf(owner), 1, 5);
    await backdate(building, "availabilities", window, -40, -36);
    await backdate(building, "claims", claim, -39, -38);
    await backdate(building, "availabilities", alone, -34, -32);
    await building.rows(
      "select from private.set_free(array(select a from parking.availabilities a))",
    );
    await building.rows("select private.recount()");
    const { rows } = await (await building.administrator()).sql<{ id: string }>(
      "select id from api.windows_never_claimed($1, $2)",
      [hours(-96).slice(0, 10), hours(24).slice(0, 10)],
    );
    expect(rows).toEqual([{ id: alone.id }]);
  });

  it("goes with its spot where its claims are cancelled, whose own rows stay", async () => {
    const { owner, claimer, spot, window, claim } = held;
    expect(await ended(claimer, doors.close(claim, "cancelled"))).toBe("done");
    await owner.sql("delete from parking.spots where id = $1", [spot.id]);
    expect(await stored(building, "availabilities", window.id)).toBeUndefined();
    expect(await stored(building, "claims", claim.id)).toMatchObject({
      status: "cancelled",
      availability_id: window.id,
    });
  });
});
