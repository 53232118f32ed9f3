import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { contradictions } from "../concurrency/consistency.ts";
import {
  type Claim,
  hours,
  type Offer,
  offer,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import { patternOf, threeDays, windowsOf } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { backdate, backdateStart, eventsOf, stored } from "../support/rows.ts";
import { claimPart, keepRest, layoutOf, piecesOf } from "./rest.ts";
import { insertClaimFor, moveClaim, moveWindow, refusedBy, setStatus } from "./support.ts";

const building = useBuilding();
let other: Person;
beforeAll(async () => {
  await keepRest(building);
  other = await building.resident();
});
afterEach(async () => {
  expect(await building.rows(contradictions)).toEqual([]);
  expect(await building.rows("table private.count_drifts")).toEqual([]);
});

/** Makes what has begun. The counts of days follow. */
async function begun({ window }: Offer, from: number): Promise<void> {
  await backdateStart(building, window, hours(from));
  await building.rows("select private.recount()");
}

/** What a person was notified of, oldest first. */
const notifications = async ({ id }: Person) => {
  const of = "select kind from parking.notifications where recipient_id = $1 order by id";
  return (await building.rows<{ kind: string }>(of, [id])).map(({ kind }) => kind);
};

const eventTypes = async (id: string) => (await eventsOf(building, id)).map(({ type }) => type);

type GiveBack = (claimer: Person, claim: Claim) => Promise<unknown>;
const cancel: GiveBack = (claimer, claim) => claimer.sql(...setStatus(claim, "cancelled"));
const complete: GiveBack = (claimer, claim) => claimer.sql(...setStatus(claim, "completed"));

describe("a claim that is completed", () => {
  /** A claim from an hour ago until the third hour, of a window that lasts from -2 to 5. */
  async function running() {
    const offered = await offer(building);
    const claim = await claimPart(offered.claimer, offered.window, 2, 3);
    for (const piece of await piecesOf(building, offered.window)) {
      const [from, to] = piece.claimed
        ? [-1, 3]
        : [piece.from === 1 ? -2 : 3, piece.from === 1 ? -1 : 5];
      await backdate(building, "availabilities", piece, from, to);
    }
    await backdate(building, "claims", claim, -1, 3);
    await building.rows("select private.recount()");
    return { ...offered, claim };
  }

  it("early, ends then: the rest of its time is on offer", async () => {
    const { owner, claimer, window, claim } = await running();
    await complete(claimer, claim);

    const [left, held, rest] = await piecesOf(building, window);
    expect(left).toMatchObject({ from: -2, to: -1, claimed: false });
    expect(held).toMatchObject({ id: window.id, from: -1, claimed: true });
    expect(rest).toMatchObject({ from: held?.to, to: 5, claimed: false });
    expect(
      await building.rows(
        "select status, end_time <= updated_at as is_over from parking.claims where id = $1",
        [claim.id],
      ),
    ).toEqual([{ status: "completed", is_over: true }]);
    expect(await eventTypes(claim.id)).toEqual(["claim.submitted", "claim.completed"]);
    expect(await notifications(owner)).toEqual(["claim.submitted", "claim.completed"]);
    const administrator = await building.administrator();
    const late = "select api.cancel_claim($1, 'cancelled', 'a reason')";
    expect(await administrator.sqlError(late, [claim.id])).toMatchObject(
      refusedBy("claims_closed_stay_closed"),
    );
  });

  it.each([
    ["shortest_claim_minutes", 600],
    ["longest_claim_minutes", 1],
  ])("early, is not bound by %s", async (limit, minutes) => {
    const { claimer, claim } = await running();
    await building.rows(`update parking.limits set ${limit} = $1`, [minutes]);
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
    await building.rows(`update parking.limits set ${limit} = null`);
  });

  it("early, of a window that it took whole before the building wanted rests", async () => {
    await keepRest(building, false);
    const offered = await offer(building);
    const claim = await claimPart(offered.claimer, offered.window, 1, 5);
    await backdateStart(building, offered.window, hours(-2));
    await building.rows("select private.recount()");
    await keepRest(building);
    await complete(offered.claimer, claim);

    const [held, rest] = await piecesOf(building, offered.window);
    expect(held).toMatchObject({ id: offered.window.id, from: -2, claimed: true });
    expect(rest).toMatchObject({ from: held?.to, to: 5, claimed: false });
  });

  it("before its beginning, keeps its time", async () => {
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    await complete(claimer, claim);
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-5 free");
  });
});

describe("a claim that is moved", () => {
  it.each([
    ["into the rest after it", 2, 4, "1-2 free, 2-4 claimed, 4-5 free"],
    ["into the rest before it", 1, 3, "1-3 claimed, 3-5 free"],
    ["over all that is free", 1, 5, "1-5 claimed"],
    ["beside its old time", 3, 5, "1-3 free, 3-5 claimed"],
    ["to a part of its time", 2.5, 3, "1-2.5 free, 2.5-3 claimed, 3-5 free"],
    ["to a part of its time inside", 2.25, 2.75, "1-2.25 free, 2.25-2.75 claimed, 2.75-5 free"],
    ["to before all of it", 1.25, 1.5, "1-1.25 free, 1.25-1.5 claimed, 1.5-5 free"],
  ])("%s takes and gives back time", async (_case, from, to, expected) => {
    const { owner, claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    await claimer.sql(...moveClaim(claim, hours(from), hours(to)));
    expect(await layoutOf(building, window)).toBe(expected);
    expect(await stored(building, "claims", claim.id)).toMatchObject({
      availability_id: window.id,
    });
    expect(await eventTypes(claim.id)).toEqual(["claim.submitted", "claim.updated"]);
    expect(await notifications(owner)).toEqual(["claim.submitted"]);
    await cancel(claimer, claim);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });

  it.each([
    ["beyond its window", 2, 6],
    ["over another's claim", 2, 5],
    ["into another's claim", 3.5, 4.5],
  ])("%s is refused", async (_case, from, to) => {
    const { owner, claimer, spot, window } = await offer(building);
    await windowOf(owner, spot, 5, 7);
    const claim = await claimPart(claimer, window, 2, 3);
    await claimPart(other, window, 4, 5);
    expect(await claimer.sqlError(...moveClaim(claim, hours(from), hours(to)))).toMatchObject({
      constraint: "claims_within_availability",
    });
    expect(await layoutOf(building, window)).toBe(
      "1-2 free, 2-3 claimed, 3-4 free, 4-5 claimed, 5-7 free",
    );
  });

  it("keeps the cancelled claims of what it takes", async () => {
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 1, 3);
    const cancelled = await claimPart(other, window, 3, 5);
    await cancel(other, cancelled);
    await claimer.sql(...moveClaim(claim, hours(1), hours(5)));
    expect(await stored(building, "claims", cancelled.id)).toMatchObject({
      availability_id: window.id,
    });
  });
});

describe("a piece that its owner", () => {
  it("moves is a window of its own, and must begin in the future", async () => {
    const offered = await offer(building);
    const { owner, claimer, window } = offered;
    await begun(offered, -2);
    const claim = await claimPart(claimer, window, 2, 3);
    const [left = window, , right = window] = await piecesOf(building, window);
    await owner.sql(...moveWindow(right, hours(3), hours(4)));
    expect(await owner.sqlError(...moveWindow(left, hours(-1), hours(2)))).toMatchObject(
      refusedBy("availabilities_start_in_future"),
    );
    await cancel(claimer, claim);
    expect(await layoutOf(building, window)).toBe("-2-3 free, 3-4 free");
  });

  it("touches without a change stays what it was", async () => {
    const { owner, claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    const [, , right = window] = await piecesOf(building, window);
    await owner.sql(...moveWindow(right, hours(3), hours(5)));
    await cancel(claimer, claim);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });

  it("withdraws is deleted, as any window is", async () => {
    const { owner, claimer, window } = await offer(building);
    await claimPart(claimer, window, 1, 3);
    const [, right] = await piecesOf(building, window);
    await owner.sql("delete from parking.availabilities where id = $1", [right?.id]);
    expect(await layoutOf(building, window)).toBe("1-3 claimed");
    expect(await eventTypes(right?.id ?? "")).toEqual([
      "availability.created",
      "availability.deleted",
    ]);
  });

  it("has claimed from them is not moved", async () => {
    const { owner, claimer, window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    expect(await owner.sqlError(...moveWindow(window, hours(2), hours(4)))).toMatchObject(
      refusedBy("availabilities_claimed_are_not_updated"),
    );
  });
});

describe("the pieces of a window", () => {
  it("go with their spot, and each is logged, but for one that was claimed", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    const pieces = await piecesOf(building, window);
    await complete(claimer, claim);
    await owner.sql("delete from parking.spots where id = $1", [spot.id]);
    for (const { id, claimed } of pieces)
      expect((await eventTypes(id)).includes("availability.deleted")).toBe(!claimed);
  });

  it("are joined when the claimer is erased, and end when the owner is", async () => {
    const { owner, claimer, window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    await building.rows("select private.erase_person($1)", [claimer.id]);
    expect(await layoutOf(building, window)).toBe("1-5 free");

    await claimPart(other, window, 2, 3);
    const pieces = await piecesOf(building, window);
    await building.rows("select private.erase_person($1)", [owner.id]);
    // Put away, as short as can be, for the cancelled claims.
    expect(await piecesOf(building, window)).toMatchObject([{ claimed: false }]);
    expect(
      await building.rows(
        "select from parking.availabilities where spot_id = $1 and private.is_put_away(start_time, end_time)",
        [window.spot_id],
      ),
    ).toHaveLength(1);
    expect(await eventTypes(pieces[0]?.id ?? "")).not.toContain("availability.deleted");
  });

  it("are no windows that nobody claimed, as long as somebody claimed one of them", async () => {
    const administrator = await building.administrator();
    const offered = await offer(building);
    const { owner, claimer, window } = offered;
    const claimed = await claimPart(claimer, window, 2, 3);
    const alone = await windowOf(owner, await spotOf(owner), 1, 5);
    const pieces = [...(await piecesOf(building, window)), alone];
    for (const [i, piece] of pieces.entries()) {
      await backdate(building, "availabilities", piece, -40 + 2 * i, -38 + 2 * i);
    }
    await backdate(building, "claims", claimed, -38, -36);
    await building.rows("select private.recount()");

    const { rows } = await administrator.sql<{ id: string }>(
      "select id from api.windows_never_claimed($1, $2)",
      [hours(-96).slice(0, 10), hours(24).slice(0, 10)],
    );
    expect(rows).toEqual([{ id: alone.id }]);
  });

  it("are joined where the owner of the database cancels", async () => {
    const { claimer, window } = await offer(building);
    await building.rows(...insertClaimFor(claimer.id, window, hours(2), hours(3)));
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-5 free");
    await building.rows("update parking.claims set status = 'cancelled' where spot_id = $1", [
      window.spot_id,
    ]);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });

  it("bind nobody to the flag with which they are joined", async () => {
    const { owner, window } = await offer(building);
    await owner.sql(
      `with flag as (select set_config('parking.joining', 'on', true))
       delete from parking.availabilities a using flag where a.id = $1`,
      [window.id],
    );
    expect(await eventTypes(window.id)).toEqual(["availability.created", "availability.deleted"]);
  });

  it("hide nothing that goes with a pattern or a spot, whatever its owner has set", async () => {
    const { owner, spot, window } = await offer(building);
    const { id } = await patternOf(owner, threeDays(spot));
    const windows = await windowsOf(owner, spot);
    const blinded = `select set_config('parking.joining', 'on', true),
                            set_config('parking.tidying', 'on', true)`;

    await owner.sql(`${blinded}, api.delete_pattern($1)`, [id]);
    await owner.sql(`${blinded}, api.delete_spot($1)`, [spot.id]);

    expect(windows).toHaveLength(4);
    expect(windows).toContainEqual(expect.objectContaining({ id: window.id }));
    for (const gone of windows)
      expect(await eventTypes(gone.id)).toEqual(["availability.created", "availability.deleted"]);
  });
});
