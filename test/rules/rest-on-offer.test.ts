import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { contradictions } from "../concurrency/consistency.ts";
import { type Claim, hours, offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { backdate, backdateStart, eventsOf, stored } from "../support/rows.ts";
import { claimPart, keepRest, layoutOf } from "./rest.ts";
import {
  deleteClaim,
  insertClaimFor,
  moveClaim,
  moveWindow,
  refusedBy,
  setStatus,
} from "./support.ts";

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

/** What a person was notified of, oldest first. */
const notifications = async ({ id }: Person) => {
  const of = "select kind from parking.notifications where recipient_id = $1 order by id";
  return (await building.rows<{ kind: string }>(of, [id])).map(({ kind }) => kind);
};
const eventTypes = async (id: string) => (await eventsOf(building, id)).map(({ type }) => type);
const cancel = (claimer: Person, claim: Claim) => claimer.sql(...setStatus(claim, "cancelled"));
const complete = (claimer: Person, claim: Claim) => claimer.sql(...setStatus(claim, "completed"));

describe("a claim of a part of a window", () => {
  it("takes its time, and leaves the rest and the window as they are", async () => {
    const { owner, claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    expect(claim.availability_id).toBe(window.id);
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-5 free");
    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      is_claimed: false,
    });
    expect(await eventTypes(window.id)).toEqual(["availability.created"]);
    expect(await notifications(owner)).toEqual(["claim.submitted"]);
  });

  it("takes all of it where the building does not want that", async () => {
    await keepRest(building, false);
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    expect(await layoutOf(building, window)).toBe("1-5 claimed");
    await claimer.sql(...moveClaim(claim, hours(2), hours(4)));
    await complete(claimer, claim);
    expect(await layoutOf(building, window)).toBe("1-5 claimed");
    await keepRest(building);
  });

  it("takes what is connected with it, after the building has changed its mind", async () => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    await keepRest(building, false);
    await claimPart(other, window, 4, 4.5);
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-5 claimed");
    await keepRest(building);
  });

  it.each([
    ["that another has", 2.5, 4],
    ["on both sides of another's claim", 1.5, 4],
  ])("is refused for time %s", async (_case, from, to) => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    await expect(claimPart(other, window, from, to)).rejects.toMatchObject({
      constraint: "claims_one_per_availability",
    });
  });

  it("takes what is left: then the window is claimed", async () => {
    const { claimer, window } = await offer(building);
    await claimPart(claimer, window, 1, 3);
    await claimPart(other, window, 3, 5);
    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      is_claimed: true,
      free: null,
    });
  });
});

describe("time that is given back", () => {
  it.each([
    ["cancelled", cancel],
    ["deleted", (claimer: Person, claim: Claim) => claimer.sql(...deleteClaim(claim))],
  ])("is free where a claim is %s, with what is beside it", async (_case, giveBack) => {
    const { claimer, window } = await offer(building);
    const first = await claimPart(claimer, window, 2, 3);
    await claimPart(other, window, 4, 5);
    await giveBack(claimer, first);
    expect(await layoutOf(building, window)).toBe("1-4 free, 4-5 claimed");
  });

  it("is free for several claims that one statement ends, also of the owner of the database", async () => {
    const { claimer, window } = await offer(building);
    await building.rows(...insertClaimFor(claimer.id, window, hours(2), hours(3)));
    await building.rows(...insertClaimFor(other.id, window, hours(3), hours(4)));
    expect(await layoutOf(building, window)).toBe("1-2 free, 2-3 claimed, 3-4 claimed, 4-5 free");
    await building.rows("update parking.claims set status = 'cancelled' where spot_id = $1", [
      window.spot_id,
    ]);
    expect(await layoutOf(building, window)).toBe("1-5 free");
    await building.rows("delete from parking.claims where spot_id = $1", [window.spot_id]);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });

  it("is free when the claimer is erased", async () => {
    const claimer = await building.resident();
    const { window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    await building.rows("select private.erase_person($1)", [claimer.id]);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });
});

describe("a claim that is completed", () => {
  /** A claim from an hour ago until the third hour, of a window that lasts from -2 to 5. */
  async function running() {
    const offered = await offer(building);
    const claim = await claimPart(offered.claimer, offered.window, 2, 3);
    await backdate(building, "availabilities", offered.window, -2, 5);
    await backdate(building, "claims", claim, -1, 3);
    await building.rows("select private.recount()");
    return { ...offered, claim };
  }

  it("early, ends then: the rest of its time is free", async () => {
    const { owner, claimer, window, claim } = await running();
    await complete(claimer, claim);

    expect(
      await building.rows(
        `select c.status, c.end_time <= c.updated_at as is_over, upper(c.takes) = c.end_time as is_given_back,
                private.free_times(a) @> tstzrange(c.end_time, a.end_time) as is_free
           from parking.claims c
           join parking.availabilities a on a.id = c.availability_id
          where c.id = $1 and a.id = $2`,
        [claim.id, window.id],
      ),
    ).toEqual([{ status: "completed", is_over: true, is_given_back: true, is_free: true }]);
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
    await setLimits(building, { [limit]: minutes });
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
    await setLimits(building, { [limit]: null });
  });

  it("early, of a window that it took whole before the building wanted rests", async () => {
    await keepRest(building, false);
    const { claimer, window } = await offer(building);
    const claim = await claimPart(claimer, window, 1, 5);
    await backdateStart(building, window, hours(-2));
    await building.rows("select private.recount()");
    await keepRest(building);
    await complete(claimer, claim);
    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      is_claimed: false,
      free: [{ end_time: hours(5) }],
    });
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
    expect(await eventTypes(claim.id)).toEqual(["claim.submitted", "claim.updated"]);
    expect(await notifications(owner)).toEqual(["claim.submitted"]);
    await cancel(claimer, claim);
    expect(await layoutOf(building, window)).toBe("1-5 free");
  });

  it.each([
    ["beyond its window", 3.5, 6, "claims_within_availability"],
    ["over another's claim", 2, 5, "claims_one_per_availability"],
    ["into another's claim", 3.5, 4.5, "claims_one_per_availability"],
  ])("%s is refused", async (_case, from, to, constraint) => {
    const { owner, claimer, spot, window } = await offer(building);
    await windowOf(owner, spot, 5, 7);
    const claim = await claimPart(claimer, window, 2, 3);
    if (to < 6) await claimPart(other, window, 4, 5);
    expect(await claimer.sqlError(...moveClaim(claim, hours(from), hours(to)))).toMatchObject({
      constraint,
    });
  });
});

describe("a window of which a part is claimed", () => {
  it("is not moved or deleted by its owner", async () => {
    const { owner, claimer, window } = await offer(building);
    await claimPart(claimer, window, 2, 3);
    expect(await owner.sqlError(...moveWindow(window, hours(2), hours(4)))).toMatchObject(
      refusedBy("availabilities_claimed_are_not_updated"),
    );
    expect(
      await owner.sqlError("delete from parking.availabilities where id = $1", [window.id]),
    ).toMatchObject(refusedBy("availabilities_claimed_are_not_deleted"));
  });

  it("is no window that nobody claimed", async () => {
    const administrator = await building.administrator();
    const { owner, claimer, window } = await offer(building);
    const claimed = await claimPart(claimer, window, 2, 3);
    const alone = await windowOf(owner, await spotOf(owner), 1, 5);
    await backdate(building, "availabilities", window, -40, -36);
    await backdate(building, "claims", claimed, -39, -38);
    await backdate(building, "availabilities", alone, -34, -32);
    await building.rows(
      "select from private.set_free(array(select a from parking.availabilities a))",
    );
    await building.rows("select private.recount()");

    const { rows } = await administrator.sql<{ id: string }>(
      "select id from api.windows_never_claimed($1, $2)",
      [hours(-96).slice(0, 10), hours(24).slice(0, 10)],
    );
    expect(rows).toEqual([{ id: alone.id }]);
  });

  it("goes with its spot where its claims are cancelled, whose own rows stay", async () => {
    const { owner, claimer, spot, window } = await offer(building);
    const claim = await claimPart(claimer, window, 2, 3);
    await cancel(claimer, claim);
    await owner.sql("delete from parking.spots where id = $1", [spot.id]);
    expect(await stored(building, "availabilities", window.id)).toBeUndefined();
    expect(await stored(building, "claims", claim.id)).toMatchObject({
      status: "cancelled",
      availability_id: window.id,
    });
  });
});
