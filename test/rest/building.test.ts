import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { projectFolder } from "../../src/project-folder.ts";
import { answerOf, formatsOf, refusalOf } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { noLimits, setLimits } from "../support/limits.ts";

interface Shown {
  readonly building: Readonly<Record<string, unknown>>;
}

const building = useBuilding();
const administrator = building.shared("administrator");
const resident = building.shared("resident");
afterEach(async () => {
  await setLimits(building, {});
  await building.rows("update parking.building set name = 'The building', time_zone = 'UTC'");
});

const shown = async () => (await resident.get<Shown>("/building", 200)).body.building;

it("GET /building shows a resident the name, the time zone and the limits", async () => {
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
    gate_minutes: 10,
    passage_days: 0,
    session_days: 30,
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
});
