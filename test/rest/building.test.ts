import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { ask, send } from "../graphql/ask.ts";
import { answerOf, formatsOf, refusal, refusalOf } from "../support/answers.ts";
import { holding, hours, offer, spotOf, useBuilding } from "../support/building.ts";
import { noLimits, setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { backdateCreation } from "../support/rows.ts";

interface Shown {
  readonly building: Readonly<Record<string, unknown>>;
}

const building = useBuilding();
let administrator: Person;
let resident: Person;
beforeAll(async () => {
  administrator = await building.administrator();
  resident = await building.resident();
});
afterEach(async () => {
  await setLimits(building, {});
  await building.rows("update parking.building set name = 'The building', time_zone = 'UTC'");
});

const shown = async () => (await resident.get<Shown>("/building", 200)).body.building;

describe("GET /building", () => {
  it("shows a resident the name, the time zone and the limits", async () => {
    const { id, created_at, updated_at, ...rest } = await shown();
    expect(formatsOf({ id, created_at, updated_at })).toEqual({
      id: "uuid",
      created_at: "time",
      updated_at: "time",
    });
    expect(rest).toEqual({
      name: "The building",
      time_zone: "UTC",
      ...noLimits,
      grace_minutes: 5,
      pattern_days: 28,
      rest_stays_on_offer: false,
      event_days: 400,
      notification_days: 400,
      job_days: 30,
      mail: expect.arrayContaining(["wish.fits", "claim.starts"]),
      language: "en",
      remind_minutes: 60,
      mark: null,
      colour: null,
    });
  });

  it("is the same in GraphQL", async () => {
    await setLimits(building, { horizon_days: 90 });
    expect(
      await ask(building, resident, "{ building { name timeZone horizonDays mostActiveClaims } }"),
    ).toEqual({
      building: {
        name: "The building",
        timeZone: "UTC",
        horizonDays: 90,
        mostActiveClaims: null,
      },
    });
  });
});

describe("PUT /admin/building", () => {
  it("changes what it names, and clears a limit by null", async () => {
    const change = { name: "Linden 5", time_zone: "Europe/Berlin", horizon_days: 90 };
    const { body } = await administrator.put<Shown>("/admin/building", change, 200);
    expect(body.building).toEqual({ ...(await shown()), ...change });

    await administrator.put("/admin/building", { most_active_claims: 3 }, 200);
    expect(await shown()).toMatchObject({ ...noLimits, ...change, most_active_claims: 3 });

    const week = { pattern_days: 7, rest_stays_on_offer: true };
    await administrator.put("/admin/building", week, 200);
    expect(await shown()).toMatchObject({ ...change, ...week });
    await administrator.put(
      "/admin/building",
      { pattern_days: 28, rest_stays_on_offer: false },
      200,
    );

    await administrator.put("/admin/building", { grace_minutes: 15, horizon_days: null }, 200);
    expect(await shown()).toMatchObject({ grace_minutes: 15 });
    await administrator.put("/admin/building", { grace_minutes: null }, 200);
    expect(await shown()).toMatchObject({ ...noLimits, most_active_claims: 3 });
  });

  it("gives the building a mark and a colour, and takes them away", async () => {
    const look = { mark: "🌳", colour: "#1d6f42" };
    await administrator.put("/admin/building", look, 200);
    await administrator.put("/admin/building", { name: "Linden 5" }, 200);
    expect(await shown()).toMatchObject(look);

    const none = { mark: null, colour: null };
    await administrator.put("/admin/building", none, 200);
    expect(await shown()).toMatchObject(none);
  });

  it("clears every limit", async () => {
    await setLimits(building, {
      ...Object.fromEntries(Object.keys(noLimits).map((limit) => [limit, 7])),
    });
    await administrator.put("/admin/building", noLimits, 200);
    expect(await shown()).toMatchObject(noLimits);
  });

  it.each([
    ["CET", "Europe/Berlin, Europe/Paris or Europe/Rome"],
    ["EST5EDT", "America/New_York or America/Toronto"],
  ])("names the zones that %s means", async (time_zone, zones) => {
    const message = `time_zone must be the name of a time zone, such as ${zones}`;
    expect(answerOf(await administrator.put("/admin/building", { time_zone }))).toEqual(
      refusalOf("time_zone", 400, message),
    );
  });

  it("refuses a zone whose times PostgreSQL and the service read in two ways", async () => {
    const known = await readFile(join(projectFolder, "sql/support/reads.sql"), "utf8");
    await building.rows(
      `create or replace function private.is_time_zone(name text) returns boolean
       language sql stable return true`,
    );
    const { status, body } = await administrator.put("/admin/building", { time_zone: "CET" });
    expect([status, body.details]).toEqual([
      400,
      {
        time_zone: {
          _errors: [
            expect.stringMatching(
              /^CET is \+01:00 for PostgreSQL and \+02:00 for the service at 20/,
            ),
          ],
        },
      },
    ]);
    await building.rows(known);
  });

  it("refuses an unknown time zone, and a shortest claim above the longest", async () => {
    const message = "time_zone must be the name of a time zone, such as Europe/Berlin";
    const zone = await administrator.put("/admin/building", { time_zone: "Europe/Nowhere" });
    expect(answerOf(zone)).toEqual(refusalOf("time_zone", 400, message));
    const lengths = { shortest_claim_minutes: 61, longest_claim_minutes: 60 };
    expect(answerOf(await administrator.put("/admin/building", lengths))).toEqual(
      refusal(400, "shortest_claim_minutes must not be more than longest_claim_minutes"),
    );
  });

  it("is a mutation, too", async () => {
    const document = `mutation ($input: UpdateBuildingInput!) {
      updateBuilding(input: $input) { building { name horizonDays } }
    }`;
    const input = { name: "Linden 6", horizonDays: 30 };
    expect(await ask(building, administrator, document, { input })).toEqual({
      updateBuilding: { building: input },
    });
    const cleared = { input: { horizonDays: null } };
    expect(await ask(building, administrator, document, cleared)).toEqual({
      updateBuilding: { building: { ...input, horizonDays: null } },
    });
    expect(await send(building, resident, document, { input })).toMatchObject({
      body: { errors: [{ extensions: { code: "administrator_required", status: 403 } }] },
    });
  });
});

describe("a limit", () => {
  it("of windows is refused with its own message", async () => {
    const spot = await spotOf(resident);
    const publish = async () =>
      answerOf(
        await resident.post("/availabilities", {
          spot_id: spot.id,
          start_time: hours(30),
          end_time: hours(60),
        }),
      );

    await setLimits(building, { longest_window_days: 1 });
    expect(await publish()).toEqual(
      refusalOf("end_time", 400, "The window is longer than the building allows"),
    );
    await setLimits(building, { horizon_days: 2 });
    expect(await publish()).toEqual(
      refusalOf("end_time", 400, "The window ends further ahead than the building allows"),
    );
  });

  it.each([
    ["end_time", { shortest_claim_minutes: 300 }, "The claim is shorter than the building allows"],
    ["end_time", { longest_claim_minutes: 30 }, "The claim is longer than the building allows"],
    [
      "start_time",
      { claim_notice_minutes: 9_999 },
      "The claim starts sooner than the building allows",
    ],
  ])("of claims is refused with its own message: %s %j", async (field, limits, message) => {
    const { claimer, window } = await offer(building);
    const claim = { availability_id: window.id, start_time: hours(2), end_time: hours(4) };
    await setLimits(building, limits);

    expect(answerOf(await claimer.post("/claims", claim))).toEqual(refusalOf(field, 400, message));
  });

  it("of the number of claims, and the cutoff, conflict with what is there", async () => {
    const { claimer, claim } = await holding(building);
    const { window } = await offer(building);
    await setLimits(building, { most_active_claims: 1, cancellation_cutoff_minutes: 9_999 });
    const { id: availability_id, start_time, end_time } = window;
    const another = { availability_id, start_time, end_time };
    const tooMany = refusal(
      409,
      "You have as many claims that have not ended as the building allows",
    );

    expect(answerOf(await claimer.post("/claims", another))).toEqual(tooMany);
    const tooLate = refusal(409, "It is too late to cancel or move this claim");
    const path = `/claims/${claim.id}`;
    expect(answerOf(await claimer.put(path, { status: "cancelled" }))).toEqual(tooLate);
    expect(answerOf(await claimer.put(path, { start_time: hours(2) }))).toEqual(tooLate);
    expect(answerOf(await claimer.delete(path))).toEqual(tooLate);
    // A completed claim still holds its window, until an administrator frees it.
    await claimer.put(path, { status: "completed" }, 200);
    expect(answerOf(await claimer.post("/claims", another))).toEqual(tooMany);
    const cancellation = { status: "cancelled", reason: "Repairs" };
    await administrator.put(`/admin/claims/${claim.id}`, cancellation, 200);
    await claimer.post("/claims", another, 201);
  });

  it("of cancelling leaves a claim some minutes of grace, which moving does not renew", async () => {
    const [first, second] = [await holding(building), await holding(building)];
    await setLimits(building, { cancellation_cutoff_minutes: 9_999, grace_minutes: 5 });
    const [path, other] = [`/claims/${first.claim.id}`, `/claims/${second.claim.id}`];

    await first.claimer.put(path, { start_time: hours(2) }, 200);
    await first.claimer.put(path, { status: "cancelled" }, 200);
    await backdateCreation(building, "claims", second.claim);
    await second.claimer.put(other, { end_time: second.claim.end_time }, 200);
    expect(answerOf(await second.claimer.put(other, { status: "cancelled" }))).toEqual(
      refusal(409, "It is too late to cancel or move this claim"),
    );
    expect(answerOf(await second.claimer.delete(other))).toEqual(
      refusal(409, "It is too late to cancel or move this claim"),
    );
  });
});
