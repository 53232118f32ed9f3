import { describe, expect, it } from "@jest/globals";
import { ask } from "../graphql/ask.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, hours, type Spot, spotOf, useBuilding, windowOf } from "../support/building.ts";
import { backdate, eventsOf, stored, writePastRules } from "../support/rows.ts";

const building = useBuilding();
const owner = building.shared("resident");
const claimer = building.shared("resident");
const waiting = building.shared("resident");
const administrator = building.shared("administrator");

/** The number of rows of a spot: itself, its windows and their claims. */
const remainsOf = async ({ id }: Spot) => {
  const [counts] = await building.rows(
    `select
       (select count(*)::int from parking.spots where id = $1) as spots,
       (select count(*)::int from parking.availabilities where spot_id = $1) as windows,
       (select count(*)::int from parking.claims where spot_id = $1) as claims`,
    [id],
  );
  return counts;
};

/** A claim that starts in so many hours, also in the past. */
const closedClaim = async (spot: Spot, status: string, from = 1) => {
  const window = await windowOf(owner, spot, Math.max(from, 1), Math.max(from, 1) + 4);
  const claim = await claimOf(claimer, window);
  await claimer.put(`/claims/${claim.id}`, { status }, 200);
  if (from < 0) {
    await backdate(building, "availabilities", window, from, from + 4);
    await backdate(building, "claims", claim, from, from + 4);
  }
  return claim;
};

it("DELETE /parking-spots/{id} removes the spot and its windows", async () => {
  const spot = await spotOf(owner);
  const window = await windowOf(owner, spot);

  expect(answerOf(await owner.delete(`/parking-spots/${spot.id}`))).toEqual({
    status: 200,
    body: { message: expect.any(String), deleted_spot_id: spot.id },
  });
  expect(await remainsOf(spot)).toEqual({ spots: 0, windows: 0, claims: 0 });
  expect(answerOf(await owner.get(`/parking-spots/${spot.id}`))).toEqual(
    refusal(404, "Parking spot not found"),
  );
  expect(await eventsOf(building, window.id)).toEqual([
    { type: "availability.created", actor_id: owner.id },
    { type: "availability.deleted", actor_id: owner.id },
  ]);
});

/** A spot with a completed and a cancelled claim, windows to come, and everything else that a spot can have. */
async function used() {
  const spot = await spotOf(owner);
  const claims = [
    await closedClaim(spot, "completed", -100),
    await closedClaim(spot, "cancelled", 10),
  ];
  const running = await windowOf(owner, spot, 5, 8);
  await backdate(building, "availabilities", running, -1, 1);
  const free = await windowOf(owner, spot, 20, 25);
  const later = { start_time: hours(40), end_time: hours(44), spot_id: spot.id };
  await owner.post("/exceptions", { ...later, kind: "keep" }, 201);
  await owner.post("/patterns", { ...weekly, spot_id: spot.id }, 201);
  await owner.put(`/parking-spots/${spot.id}`, { notes: "Mind the pillar" }, 200);
  await owner.put(`/parking-spots/${spot.id}/access`, { access_notes: "4711" }, 200);
  const { body } = await waiting.post<{ wish: { id: string } }>("/wishes", later, 201);
  await building.rows("select private.recount()"); // triggers did not count the dates above
  return { spot, claims, running, free, wish: body.wish };
}

const weekly = { weekdays: ["MO"], starts_at: "08:00", ends_at: "18:00", first_day: "2031-01-06" };

const reported = async (path: string) => {
  const [from, until] = [hours(-150), hours(-72)].map((time) => time.slice(0, 10));
  const { body } = await administrator.get(`${path}?from=${from}&until=${until}`, 200);
  return body;
};

describe("a spot with a past", () => {
  it("is gone for everybody", async () => {
    const { spot } = await used();
    await owner.delete(`/parking-spots/${spot.id}`, 200);

    const gone = refusal(404, "Parking spot not found");
    for (const person of [owner, claimer, administrator]) {
      expect(answerOf(await person.get(`/parking-spots/${spot.id}`))).toEqual(gone);
      const { body } = await person.get<{ spots: Spot[] }>(
        `/parking-spots?owner_id=${owner.id}&limit=200`,
        200,
      );
      expect(body.spots.map(({ id }) => id)).not.toContain(spot.id);
      const data = await ask<{ spot: unknown; node: unknown }>(
        building,
        person,
        `{ spot(id: "${spot.id}") { id }
           node(nodeId: "${btoa(JSON.stringify(["Spot", spot.id]))}") { nodeId }
           spots(condition: { ownerId: "${owner.id}" }, first: 200) { totalCount nodes { id } }
           profile(id: "${owner.id}") { spots { nodes { id } } } }`,
      );
      expect(data).toMatchObject({ spot: null, node: null });
      expect(JSON.stringify(data)).not.toContain(spot.id);
    }
    const path = `/parking-spots/${spot.id}`;
    expect(answerOf(await owner.put(path, { notes: "New" }))).toEqual(gone);
    expect(answerOf(await owner.put(path, {}))).toEqual(gone);
    expect(answerOf(await owner.delete(path))).toEqual(gone);
    expect(answerOf(await administrator.put(`/admin${path}`, { is_verified: true }))).toEqual(gone);
    expect(answerOf(await administrator.put(`/admin${path}`, {}))).toEqual(gone);
    expect(answerOf(await administrator.delete(`/admin${path}?reason=Repairs`))).toEqual(gone);
    expect((await owner.get(`${path}/access`)).status).toBe(404);
    expect((await owner.put(`${path}/access`, { access_notes: "1" })).status).toBe(404);
  });

  it("lets nobody begin anything with it, by SQL either", async () => {
    const { spot, claims, running } = await used();
    await owner.delete(`/parking-spots/${spot.id}`, 200);

    const gone = refusal(404, "Parking spot not found");
    const times = { start_time: hours(50), end_time: hours(54), spot_id: spot.id };
    expect(answerOf(await owner.post("/availabilities", times))).toEqual(gone);
    expect(answerOf(await owner.post("/patterns", { ...weekly, spot_id: spot.id }))).toEqual(gone);
    expect(answerOf(await owner.post("/exceptions", { ...times, kind: "keep" }))).toEqual(gone);
    expect(answerOf(await claimer.post("/wishes", times))).toEqual(gone);
    expect(answerOf(await owner.post("/spot-reports", { spot_id: spot.id }))).toEqual(gone);
    await owner.post("/exceptions", { ...times, spot_id: undefined, kind: "share" }, 201);

    const at = `'${times.start_time}', '${times.end_time}'`;
    for (const [person, statement, rule] of [
      [owner, `availabilities (spot_id, start_time, end_time) values ('${spot.id}', ${at})`],
      [
        owner,
        `exceptions (spot_id, start_time, end_time, kind) values ('${spot.id}', ${at}, 'keep')`,
      ],
      [owner, `spot_access (spot_id, access_notes) values ('${spot.id}', '4711')`],
      [owner, `spot_reports (spot_id) values ('${spot.id}')`],
      [claimer, `wishes (spot_id, start_time, end_time) values ('${spot.id}', ${at})`],
      [
        claimer,
        `claims (availability_id, spot_id, owner_id, start_time, end_time)
         values ('${running.id}', '${spot.id}', '${owner.id}', ${at})`,
        "claims_of_an_availability",
      ],
    ] as const)
      expect(await person.sqlError(`insert into parking.${statement}`)).toMatchObject({
        code: "23503",
        constraint: rule ?? `${statement.split(" ")[0]}_of_a_spot`,
      });
    expect(
      await owner.sqlError(
        "update parking.availabilities set start_time = $2, end_time = $3 where id = $1",
        [running.id, times.start_time, times.end_time],
      ),
    ).toMatchObject({ code: "PT404" });
    const past = `/availabilities/${running.id}`;
    const noWindow = refusal(404, "Availability not found");
    expect(answerOf(await owner.put(past, { end_time: hours(54) }))).toEqual(noWindow);
    expect(answerOf(await owner.delete(past))).toEqual(noWindow);
    expect(answerOf(await administrator.delete(`/admin${past}?reason=Repairs`))).toEqual(noWindow);
    expect(
      await owner.sqlError("delete from parking.availabilities where id = $1", [running.id]),
    ).toMatchObject({ code: "PT404" });
    // Nothing of it is left to come.
    expect(
      await building.rows(
        "select from parking.availabilities where spot_id = $1 and end_time > clock_timestamp()",
        [spot.id],
      ),
    ).toEqual([]);
    expect((await claimer.get(`/claims/${claims[0]?.id}`)).status).toBe(200);
  });

  it("keeps what was for those who claimed it, for its owner and for reports", async () => {
    const { spot, claims, free } = await used();
    const paths = [
      "/admin/reports/use-by-section",
      "/admin/reports/use-by-hour",
      "/admin/reports/windows-never-claimed",
    ];
    const past = () =>
      building.rows(
        `select c.id, c.status, c.spot_number, c.cancelled_by, c.start_time
           from reporting.claims c where c.spot_id = $1 order by c.id`,
        [spot.id],
      );
    const [before, reportsBefore] = [await past(), await Promise.all(paths.map(reported))];

    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(await past()).toEqual(before);
    expect(await stored(building, "availabilities", free.id)).toBeUndefined();
    for (const person of [claimer, owner, administrator]) {
      for (const { id } of claims) {
        expect((await person.get(`/claims/${id}`)).body).toMatchObject({ claim: { id } });
        const data = await ask(building, person, `{ claim(id: "${id}") { spot { spotNumber } } }`);
        expect(data).toEqual({ claim: { spot: { spotNumber: spot.spot_number } } });
      }
      const { body } = await person.get<{ total: number }>(`/claims?spot_id=${spot.id}`, 200);
      expect(body.total).toBe(2);
    }
    const reportsAfter = await Promise.all(paths.map(reported));
    expect(reportsAfter).toEqual(reportsBefore);
    expect(JSON.stringify(reportsAfter[0])).toMatch(/"claimed_minutes":[1-9]/);
    expect(
      await building.rows(
        "select retired_at is not null as is_retired from reporting.spots where id = $1",
        [spot.id],
      ),
    ).toEqual([{ is_retired: true }]);
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });

  it("keeps for reports what was offered, and what was wished for, in vain", async () => {
    const [offered, wished, both] = [await spotOf(owner), await spotOf(owner), await spotOf(owner)];
    for (const spot of [offered, both]) {
      const window = await windowOf(owner, spot);
      await backdate(building, "availabilities", window, -100, -96);
    }
    const wishes: string[] = [];
    for (const { id: spot_id } of [wished, both]) {
      const times = { start_time: hours(40), end_time: hours(44), spot_id };
      const { body } = await waiting.post<{ wish: { id: string } }>("/wishes", times, 201);
      wishes.push(body.wish.id);
    }
    await writePastRules(
      building,
      "update parking.wishes set start_time = $2, end_time = $3 where id = any ($1)",
      [wishes, hours(-100), hours(-96)],
    );
    await building.rows("select private.recount()");
    const paths = [
      "/admin/reports/use-by-section",
      "/admin/reports/windows-never-claimed",
      "/admin/reports/unmet-wishes",
    ];
    const before = await Promise.all(paths.map(reported));
    for (const { id } of [offered, wished, both]) await owner.delete(`/parking-spots/${id}`, 200);

    expect(await Promise.all(paths.map(reported))).toEqual(before);
    expect(JSON.stringify(before[1])).toContain(offered.spot_number);
    expect(JSON.stringify(before[2])).toMatch(/"unmet_minutes":[1-9]/);
    for (const id of wishes)
      expect((await waiting.get(`/wishes/${id}`)).body).toMatchObject({ wish: { id } });
  });

  it("completes what had ended, and takes from a window what was free of it", async () => {
    const spot = await spotOf(owner);
    const window = await windowOf(owner, spot, 10, 20);
    await administrator.put("/admin/building", { rest_stays_on_offer: true }, 200);
    const part = { ...window, end_time: hours(12) };
    const claim = await claimOf(claimer, part);
    await administrator.put("/admin/building", { rest_stays_on_offer: false }, 200);
    await backdate(building, "claims", claim, -4, -2);
    await backdate(building, "availabilities", window, -5, 20);
    await owner.delete(`/parking-spots/${spot.id}`, 200);

    expect(await stored(building, "claims", claim.id)).toMatchObject({ status: "completed" });
    expect(
      await building.rows(
        `select from parking.availabilities a
          where a.id = $1
            and private.free_times(a) && tstzrange(clock_timestamp(), null)`,
        [window.id],
      ),
    ).toEqual([]);
  });

  it("frees its number, for an invitation too", async () => {
    const { spot } = await used();
    const { spot_number, building_section } = spot;
    await owner.delete(`/parking-spots/${spot.id}`, 200);

    const tenant = await building.newcomer();
    const spots = [{ spot_number, building_section }];
    const invitations = [{ email: tenant.email, apartment_number: "1A", spots }];
    await administrator.post("/admin/invitations", { invitations }, 201);
    await tenant.post("/profile", { apartment_number: "1A" }, 201);
    const { body } = await tenant.get<{ spots: Spot[] }>(
      `/parking-spots?owner_id=${tenant.id}`,
      200,
    );
    expect(body.spots).toMatchObject([{ spot_number, is_verified: true }]);

    // Twice: the number may have several pasts.
    const [second] = body.spots;
    await windowOf(tenant, second as Spot).then((it) =>
      backdate(building, "availabilities", it, -9, -8),
    );
    await tenant.delete(`/parking-spots/${second?.id}`, 200);
    await owner.post("/parking-spots", { spot_number, building_section }, 201);
  });

  it("tells those who wait for it", async () => {
    const { spot, wish } = await used();
    await administrator.delete(`/admin/parking-spots/${spot.id}?reason=Repairs`, 200);

    const { body } = await waiting.get<{ notifications: object[] }>("/notifications", 200);
    expect(body.notifications[0]).toMatchObject({
      kind: "spot.deleted",
      spot_id: spot.id,
      message: expect.stringMatching(/, which you waited for .*, was deleted\. Reason: Repairs$/),
      data: { spot_number: spot.spot_number, start_time: hours(40), end_time: hours(44) },
    });
    expect((await waiting.get(`/wishes/${wish.id}`)).status).toBe(404);
  });
});
