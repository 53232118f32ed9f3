import { beforeAll, describe, expect, it } from "@jest/globals";
import { send } from "../graphql/ask.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { type Claim, offer, useBuilding } from "../support/building.ts";
import { postWithKey } from "../support/keyed.ts";
import type { Person } from "../support/person.ts";
import { backdate, eventsOf, writePastRules } from "../support/rows.ts";
import { reportOf } from "../support/spot-reports.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const concierge = building.shared("concierge");
beforeAll(async () => {
  await concierge.put("/profile", { full_name: "Grace Hopper" }, 200);
});

const REASON = "Her sister visits";

interface Note {
  readonly kind: string;
  readonly message: string;
  readonly data: object;
}
const newsOf = async (person: Person): Promise<readonly Note[]> =>
  (await person.get<{ notifications: Note[] }>("/notifications", 200)).body.notifications;

/** A claim by the concierge for a resident with a name. */
async function claimedFor() {
  const offered = await offer(building);
  const { claimer, window } = offered;
  await claimer.put("/profile", { full_name: "Ada Lovelace", phone_number: "030 1" }, 200);
  const { id: availability_id, start_time, end_time } = window;
  const { body } = await concierge.post<{ claim: Claim }>(
    "/claims",
    {
      ...{ availability_id, start_time, end_time, guest: "Eve", vehicle: "M-EV 1" },
      ...{ claimer_id: claimer.id, reason: REASON },
    },
    201,
  );
  return { ...offered, claim: body.claim };
}

describe("POST /claims for another", () => {
  it("answers with the claim, which says who made it", async () => {
    const { claim, claimer } = await claimedFor();
    expect(claim).toMatchObject({ claimer_id: claimer.id, made_by: concierge.id, guest: "Eve" });
    expect((await claimer.get(`/claims/${claim.id}`, 200)).body).toEqual({ claim });
    expect((await concierge.get(`/claims/${claim.id}`)).status).toBe(404); // it is the resident's
  });

  it("tells the resident and the owner who did it and why", async () => {
    const { owner, claimer, spot } = await claimedFor();
    const data = { actor_name: "Grace Hopper", reason: REASON };
    expect(await newsOf(claimer)).toMatchObject([
      {
        kind: "claim.submitted",
        message: expect.stringMatching(
          `^Parking spot ${spot.spot_number} was claimed for you from .* UTC. Reason: ${REASON}$`,
        ),
        data,
      },
    ]);
    expect(await newsOf(owner)).toMatchObject([
      { kind: "claim.submitted", data: { ...data, claimer_name: "Ada Lovelace", is_owner: true } },
    ]);
    expect(await newsOf(concierge)).toEqual([]);
  });

  it("has the actor and the reason in the log", async () => {
    const { claim } = await claimedFor();
    expect(await eventsOf(building, claim.id)).toEqual([
      { type: "claim.submitted", actor_id: concierge.id },
    ]);
    expect(
      await building.rows("select reason from private.events where subject_id = $1", [claim.id]),
    ).toEqual([{ reason: REASON }]);
  });

  it("is a mutation of GraphQL, too, which shows the claim to who may read it", async () => {
    for (const [person, isShown] of [
      [administrator, true],
      [concierge, false],
    ] as const) {
      const { window, claimer } = await offer(building);
      const { body } = await send(
        building,
        person,
        `mutation ($claimerId: UUID) {
           createClaim(input: { availabilityId: "${window.id}", startTime: "${window.start_time}",
             endTime: "${window.end_time}", claimerId: $claimerId, reason: "${REASON}" }) {
             claim { claimerId madeBy }
           }
         }`,
        { claimerId: claimer.id },
      );
      const claim = isShown ? { claimerId: claimer.id, madeBy: person.id } : null;
      expect(body).toEqual({ data: { createClaim: { claim } } });
      expect(await newsOf(claimer)).toHaveLength(1);
    }
  });
});

describe("what a concierge claimed for a resident", () => {
  it("is cancelled by the concierge, with a reason that both sides read", async () => {
    const { owner, claimer, claim } = await claimedFor();
    const change = { status: "cancelled", reason: "She left early" };
    const { body } = await concierge.put(`/admin/claims/${claim.id}`, change, 200);
    expect(body).toMatchObject({ claim: { id: claim.id, status: "cancelled" } });

    for (const person of [owner, claimer])
      expect((await newsOf(person))[0]).toMatchObject({
        kind: "claim.cancelled",
        data: { actor_name: "Grace Hopper", reason: "She left early" },
      });
    expect((await eventsOf(building, claim.id)).at(-1)).toEqual({
      type: "claim.cancelled",
      actor_id: concierge.id,
    });
    const stored = "select cancelled_by from parking.claims where id = $1";
    expect(await building.rows(stored, [claim.id])).toEqual([{ cancelled_by: concierge.id }]);
  });

  it("is changed and cancelled by the resident as any other, without the concierge's name", async () => {
    const { owner, claimer, claim } = await claimedFor();
    await claimer.put(`/claims/${claim.id}`, { guest: null }, 200);
    await claimer.delete(`/claims/${claim.id}`, 200);
    const [last] = await newsOf(owner);
    expect(last).toMatchObject({ kind: "claim.deleted", data: { claimer_name: "Ada Lovelace" } });
    expect(last?.data).not.toHaveProperty("actor_name");
  });

  it("keeps neither the name of the concierge nor the reason, once they are erased", async () => {
    const former = await building.concierge();
    await former.put("/profile", { full_name: "Zebedee Quux" }, 200);
    const { owner, claimer, window } = await offer(building);
    const { id: availability_id, start_time, end_time } = window;
    const body = { availability_id, start_time, end_time, claimer_id: claimer.id };
    const made = await former.post<{ claim: Claim }>(
      "/claims",
      { ...body, reason: "Quux asks" },
      201,
    );
    await claimer.delete(`/claims/${made.body.claim.id}`, 200);
    const found = async (text: string) =>
      (
        await building.rows(
          `select from parking.notifications n where strpos(n::text, $1) > 0
           union all select from private.events e where strpos(e.reason, $1) > 0`,
          [text],
        )
      ).length;
    expect([await found("Zebedee"), await found("Quux asks")]).toEqual([2, 3]);

    await administrator.delete(`/admin/profiles/${former.id}?reason=Gone`, 200);
    expect([await found("Zebedee"), await found("Quux asks")]).toEqual([0, 3]);
    await administrator.delete(`/admin/profiles/${claimer.id}?reason=Gone`, 200);
    expect(await found("Quux asks")).toBe(0);
    expect(await newsOf(owner)).toHaveLength(2);
  });
});

describe("an erasure", () => {
  it("takes the name of the concierge also where the log is kept for a shorter time", async () => {
    const former = await building.concierge();
    await former.put("/profile", { full_name: "Zebulon Quux" }, 200);
    const { claimer, window } = await offer(building);
    const { id: availability_id, start_time, end_time } = window;
    const span = { availability_id, start_time, end_time };
    const body = { ...span, claimer_id: claimer.id, reason: REASON };
    const { id } = (await former.post<{ claim: Claim }>("/claims", body, 201)).body.claim;
    await claimer.delete(`/claims/${id}`, 200);
    const { pool } = building.service;
    const events = async () =>
      (await eventsOf(building, id)).filter(({ type }) => type === "claim.submitted");
    await pool.query("select private.order_events()");
    const log = "update private.events set occurred_at = now() - interval '401 days'";
    await writePastRules(building, `${log} where subject_id = $1`, [id]);
    await pool.query("select private.prune()");
    expect(await events()).toHaveLength(1);

    await administrator.delete(`/admin/profiles/${former.id}?reason=Gone`, 200);
    const named = "select from parking.notifications n where strpos(n::text, 'Zebulon') > 0";
    expect(await building.rows(named)).toEqual([]);
    await pool.query("select private.prune()");
    expect(await events()).toEqual([]);
  });

  it("takes the guest of a resident from the answer that is kept for the concierge", async () => {
    const { claimer, window } = await offer(building);
    const { id: availability_id, start_time, end_time } = window;
    const span = { availability_id, start_time, end_time };
    const body = { ...span, claimer_id: claimer.id, reason: REASON, guest: "Walburga" };
    const { status } = await postWithKey(building.service.origin, concierge, "/claims", "1", body);
    expect(status).toBe(201);
    const kept = "select from private.idempotency_keys k where strpos(k.body, 'Walburga') > 0";
    expect(await building.rows(kept)).toHaveLength(1);

    await administrator.delete(`/admin/profiles/${claimer.id}?reason=Gone`, 200);
    expect(await building.rows(kept)).toEqual([]);
  });
});

describe("GET /admin/parked for a concierge", () => {
  it("has the guest, with whom they visit, and the claimer's number", async () => {
    const { claim, claimer } = await claimedFor();
    await backdate(building, "claims", claim, -1, 1);
    const { body } = await concierge.get<{ parked: object[] }>("/admin/parked?vehicle=mev1", 200);
    expect(body.parked).toMatchObject([
      {
        ...{ claim_id: claim.id, person_id: claimer.id, guest: "Eve", vehicle: "M-EV 1" },
        ...{ full_name: "Ada Lovelace", apartment_number: "1A", phone_number: "030 1" },
        made_by: concierge.id,
      },
    ]);
  });
});

describe("GET /admin/residents", () => {
  const found = async (search: string) =>
    (
      await concierge.get<{ residents: { id: string }[] }>(
        `/admin/residents?${new URLSearchParams({ search })}`,
        200,
      )
    ).body.residents;

  it("finds approved residents by a part of the name or the apartment, the same apartment first", async () => {
    const [one, other] = [await building.resident(), await building.resident()];
    await one.put("/profile", { full_name: "Jürgen Xaver", apartment_number: "X7" }, 200);
    await other.put("/profile", { apartment_number: "AX7" }, 200);
    const unapproved = await building.unapproved();
    await unapproved.put("/profile", { full_name: "Xaver", apartment_number: "X7" }, 200);

    expect(await found("xa")).toEqual([
      { id: one.id, full_name: "Jürgen Xaver", apartment_number: "X7" },
    ]);
    expect((await found("x7")).map(({ id }) => id)).toEqual([one.id, other.id]);
    expect(await found("%")).toEqual([]);
  });

  it("has twenty at most", async () => {
    await building.rows("update parking.profiles set apartment_number = '1A'");
    while ((await found("1A")).length < 20) await building.resident();
    await building.resident();
    expect(await found("1A")).toHaveLength(20);
  });
});

describe("the report of a stranger's car", () => {
  it("is told to concierges, who see it and deal with it", async () => {
    const { owner, spot } = await offer(building);
    const { id } = await reportOf(owner, spot);
    expect((await newsOf(concierge))[0]).toMatchObject({ kind: "report.submitted" });
    expect((await concierge.get(`/spot-reports/${id}`, 200)).body).toMatchObject({
      spot_report: { id, is_resolved: false },
    });

    await concierge.put(`/admin/spot-reports/${id}`, { is_resolved: true }, 200);
    expect((await newsOf(concierge))[0]).toMatchObject({ is_read: true });
    const nowhere = { is_resolved: true };
    expect(answerOf(await concierge.put(`/admin/spot-reports/${spot.id}`, nowhere))).toEqual(
      refusal(404, "Report not found"),
    );
  });
});

describe("PUT /admin/profiles/{id} is_concierge", () => {
  it("makes a concierge, and takes that back", async () => {
    const person = await building.resident();
    const path = `/admin/profiles/${person.id}`;
    for (const is_concierge of [true, false]) {
      const { body } = await administrator.put<{ profile: object }>(path, { is_concierge }, 200);
      expect("is_concierge" in body.profile).toBe(is_concierge);
      expect((await person.get("/admin/residents?search=1")).status).toBe(is_concierge ? 200 : 403);
      const listed = await administrator.get<{ profiles: { id: string }[] }>(
        "/admin/profiles?is_concierge=true&limit=200",
        200,
      );
      expect(listed.body.profiles.some(({ id }) => id === person.id)).toBe(is_concierge);
    }
    expect((await eventsOf(building, person.id)).slice(-2)).toEqual(
      Array(2).fill({ type: "profile.updated", actor_id: administrator.id }),
    );
  });
});
