import { describe, expect, it } from "@jest/globals";
import { type Offer, offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { tryWithClaims } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const administrator = building.shared("administrator");
const concierge = building.shared("concierge");

const claimFor = (
  { window }: Pick<Offer, "window">,
  { id: claimer_id }: Pick<Person, "id">,
  reason: string | null = "A visitor",
): doors.BothWays => {
  const { id: availability_id, start_time, end_time } = window;
  const span = { start_time, end_time };
  return {
    request: [
      "POST",
      "/claims",
      { availability_id, ...span, claimer_id, ...(reason !== null && { reason }) },
    ],
    sql: [
      "select api.create_claim($1, $2, $3, claimer_id => $4, reason => $5)",
      [availability_id, start_time, end_time, claimer_id, reason],
    ],
  };
};

describe("claims_for_others_by_staff", () => {
  const rule = "claims_for_others_by_staff";

  it("lets administrators and concierges claim for a resident, whose claim it is", async () => {
    for (const person of [administrator, concierge]) {
      const offered = await offer(building);
      expect(await ended(person, claimFor(offered, offered.claimer))).toBe("done");
      expect(
        await building.rows("select claimer_id, made_by from parking.claims where owner_id = $1", [
          offered.owner.id,
        ]),
      ).toEqual([{ claimer_id: offered.claimer.id, made_by: person.id }]);
      await offered.claimer.get("/claims", 200);
    }
  });

  it("refuses a resident who claims for another, or for who is none", async () => {
    const offered = await offer(building);
    for (const other of [await building.resident(), await building.newcomer()])
      for (const reason of ["A visitor", null])
        expect(await ended(offered.claimer, claimFor(offered, other, reason))).toBe(rule);
  });

  it("lets anybody name themselves: it is a claim like any other", async () => {
    const offered = await offer(building);
    expect(await ended(offered.claimer, claimFor(offered, offered.claimer, null))).toBe("done");
    expect(
      await building.rows("select made_by from parking.claims where owner_id = $1", [
        offered.owner.id,
      ]),
    ).toEqual([{ made_by: null }]);
  });

  it("holds for who acts by direct SQL, whatever the caller says", async () => {
    const { window, claimer, owner } = await offer(building);
    const sql = `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
                 select id, spot_id, owner_id, start_time, end_time
                   from parking.availabilities where id = $1`;
    const actedFor = (actor: Person) =>
      tryWithClaims(building, JSON.stringify({ sub: claimer.id, act: { sub: actor.id } }), (api) =>
        api.query(sql, [window.id]),
      ).then(
        ({ rowCount }) => rowCount,
        (error: Error) => error.message,
      );
    expect(await actedFor(owner)).toContain(rule);
    expect(await actedFor(concierge)).toBe(1);
    for (const column of ["claimer_id", "made_by"]) {
      const columns = `availability_id, spot_id, owner_id, start_time, end_time, ${column}`;
      const named = `insert into parking.claims (${columns}) values ($1, $1, $1, now(), now(), $1)`;
      expect(await administrator.sqlError(named, [window.id])).toMatchObject({ code: "42501" });
    }
  });

  it("leaves the caller who they are", async () => {
    const { window, claimer } = await offer(building);
    const [text, values] = claimFor({ window }, claimer).sql;
    await tryWithClaims(building, JSON.stringify({ sub: concierge.id }), async (api) => {
      await api.query(text, [...values]);
      const { rows } = await api.query(
        "select private.caller_id() as caller, private.actor_id() as actor",
      );
      expect(rows).toEqual([{ caller: concierge.id, actor: concierge.id }]);
    });
  });
});

describe("a claim for another", () => {
  it("claims_made_by_a_resident: is for an approved resident", async () => {
    const offered = await offer(building);
    for (const other of [await building.unapproved(), await building.newcomer()])
      expect(await ended(concierge, claimFor(offered, other))).toBe("claims_made_by_a_resident");
  });

  it("events_reason_is_one_line: needs a reason", async () => {
    const offered = await offer(building);
    for (const reason of [null, "x".repeat(301), "two\nlines"])
      expect(
        (await concierge.post("/claims", claimFor(offered, offered.claimer, reason).request[2]))
          .status,
      ).toBe(400);
    const [text, values] = claimFor(offered, offered.claimer, null).sql;
    expect(await concierge.sqlError(text, values)).toMatchObject({
      constraint: "events_reason_is_one_line",
    });
  });

  it("is bound by the rules of the claimer: their own spot, and their limits", async () => {
    const offered = await offer(building);
    expect(await ended(concierge, claimFor(offered, offered.owner))).toBe("claims_not_by_owner");

    const { owner, claimer, window } = offered;
    await setLimits(building, { most_active_claims: 1 });
    expect(await ended(concierge, claimFor({ window }, claimer))).toBe("done");
    const second = await windowOf(owner, await spotOf(owner), 1, 5);
    const act = claimFor({ window: second }, claimer);
    expect(await concierge.sqlError(...act.sql)).toMatchObject({
      constraint: "claims_no_more_than_allowed",
    });
    expect((await concierge.post("/claims", act.request[2])).status).toBe(409);
    await setLimits(building, {});
  });
});

describe("administrator_required", () => {
  const cancel = (id: string): doors.BothWays => ({
    request: ["PUT", `/admin/claims/${id}`, { status: "cancelled", reason: "Gone again" }],
    sql: ["select api.cancel_claim($1, 'cancelled', 'Gone again')", [id]],
  });
  const made = async (by: Person) => {
    const offered = await offer(building);
    const { body } = await by.post<{ claim: { id: string } }>(
      "/claims",
      claimFor(offered, offered.claimer).request[2],
      201,
    );
    return { ...offered, id: body.claim.id };
  };

  it("lets a concierge cancel those claims that they made, and no others", async () => {
    expect(await ended(concierge, cancel((await made(concierge)).id))).toBe("done");
    for (const by of [administrator, await building.concierge()])
      expect(await ended(concierge, cancel((await made(by)).id))).toBe("administrator_required");
    expect(await ended(administrator, cancel((await made(concierge)).id))).toBe("done");
  });

  it("claims_cancelled_by_administrator: lets them do nothing else", async () => {
    const { id } = await made(concierge);
    for (const person of [concierge, administrator])
      expect(
        await person.sqlError("select api.cancel_claim($1, 'completed', 'Gone again')", [id]),
      ).toMatchObject({ message: expect.stringContaining("claims_cancelled_by_administrator") });
  });

  it("lets them no more once they are no concierge", async () => {
    const former = await building.concierge();
    const { id, claimer, window } = await made(former);
    await building.rows("update parking.profiles set is_concierge = false where id = $1", [
      former.id,
    ]);
    expect(await ended(former, cancel(id))).toBe("administrator_required");
    await claimer.delete(`/claims/${id}`, 200);
    expect(await ended(former, claimFor({ window }, claimer))).toBe("claims_for_others_by_staff");
  });
});
