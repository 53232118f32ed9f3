import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  type Building,
  claimOf,
  hours,
  openBuilding,
  type Spot,
  spotOf,
  windowOf,
} from "../../support/building.ts";
import { databaseOn } from "../../support/database.ts";
import { except } from "../../support/exceptions.ts";
import { invite, invited, newAddress } from "../../support/invitations.ts";
import { patternOf, threeDays } from "../../support/patterns.ts";
import type { Person } from "../../support/person.ts";
import { type Server, type Standby, startPrimary, startStandby } from "../../support/standby.ts";
import { until } from "../../support/waiting.ts";
import { wishOf } from "../../support/wishes.ts";

let primary: Server;
let standby: Standby;
let building: Building;
/** Administers, and has one of everything. */
let person: Person;
let spot: Spot;
const ids: Record<string, string> = {};

beforeAll(async () => {
  primary = await startPrimary();
  const database = await databaseOn(primary.postgres);
  standby = await startStandby(primary);
  const url = standby.postgres.url("parking_api", "parking");
  building = await openBuilding({ replica: { url, mostAgeMs: 600_000 } }, database);
  person = await building.administrator();
  const claimer = await building.resident();
  spot = await spotOf(person);
  ids.pattern = (await patternOf(person, threeDays(spot))).id;
  ids.exception = (await except(person, "keep", spot, 200, 210)).exception.id;
  ids.wish = (await wishOf(person, 400, 402)).id;
  ids.claim = (await claimOf(claimer, await windowOf(person, spot, 20, 26))).id;
  await invite(person, invited(newAddress()));
  ids.invitation =
    (await building.rows<{ id: string }>("select id from parking.invitations"))[0]?.id ?? "";
  await person.post("/calendar-feed", { language: "en" }, 201);
});
afterAll(async () => {
  await building.close();
  await standby.stop();
  await primary.stop();
});
beforeEach(async () => {
  await standby.resume();
  await standby.catchUp();
});

const pattern = "update parking.patterns set ends_at = '17:30'";
const exception = "update parking.exceptions set end_time = end_time + interval '1 hour'";
const wish = "update parking.wishes set end_time = end_time + interval '1 hour'";
const claim = "update parking.claims set vehicle = coalesce(vehicle, 'B-') || '1'";
const invitation = "update parking.invitations set apartment_number = apartment_number || '1'";
const section = "update parking.spots set building_section = building_section || '1'";

describe.each([
  ["/patterns", pattern],
  ["/patterns/:pattern", pattern.replace("17:30", "17:45")],
  ["/exceptions", exception],
  ["/exceptions/:exception", exception],
  ["/wishes", wish],
  ["/wishes/:wish", wish],
  [
    "/calendar-feed",
    "update parking.calendar_feeds set created_at = created_at - interval '1 day'",
  ],
  ["/claims/:claim", claim],
  ["/claims?vehicle=Z-1", "update parking.claims set vehicle = 'Z 1'"],
  ["/admin/invitations", invitation],
  ["/admin/invitations/:invitation", invitation],
  ["/sections", section],
  [`/admin/parked?at=${hours(22)}`, claim],
  ["/profile/export", claim],
  ["/calendar.ics", "update parking.claims set status = 'cancelled'"],
] as const)("GET %s with READ_DATABASE_URL", (template, change) => {
  it("is answered by the replica, and by the primary to who wrote what it lacks", async () => {
    const path = template.replace(/:([a-z]+)/g, (_, name: string) => ids[name] ?? "");
    const read = async (): Promise<unknown> => (await person.get(path, 200)).body;
    const before = await read();
    await standby.pause();
    await building.rows(change); // behind the back of the service
    await until("an answer of the replica", async () => isDeepStrictEqual(await read(), before));

    await spotOf(person);
    expect(await read()).not.toEqual(before);
  });
});
