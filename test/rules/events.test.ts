import { beforeAll, describe, expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { missing, notGranted, refusedBy } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const log = () => building.rows("select * from private.events order by id");

describe("events_type_is_known", () => {
  const record = (type: string | null) =>
    building.rows(
      `insert into private.events (type, subject_id, data)
       values ($1, uuidv7(), '{}')
       returning type`,
      [type],
    );

  it.each([
    "profile.registered",
    "profile.updated",
    "profile.approved",
    "spot.registered",
    "spot.updated",
    "spot.verified",
    "spot.deleted",
    "availability.created",
    "availability.updated",
    "availability.deleted",
    "claim.submitted",
    "claim.updated",
    "claim.completed",
    "claim.cancelled",
    "claim.deleted",
  ])("accepts %s", async (type) => {
    expect(await record(type)).toEqual([{ type }]);
  });

  it.each(["profile.deleted", "Claim.Submitted", "claim.", ""])("refuses '%s'", async (type) => {
    const before = await log();
    await expect(record(type)).rejects.toMatchObject(refusedBy("events_type_is_known"));
    expect(await log()).toEqual(before);
  });

  it("still requires a type", async () => {
    await expect(record(null)).rejects.toMatchObject(missing("type"));
  });
});

describe("events_are_only_added", () => {
  const broken = refusedBy("events_are_only_added");

  it.each([
    "update private.events set type = 'spot.deleted'",
    "update private.events set data = data",
    "update private.events set occurred_at = now(), actor_id = null",
    "delete from private.events",
    "truncate private.events",
  ])("refuses the owner of the database: %s", async (statement) => {
    const before = await log();
    await expect(building.rows(statement)).rejects.toMatchObject(broken);
    expect(await log()).toEqual(before);
  });

  it.each([
    "select from private.events",
    "insert into private.events (type, subject_id, data) values ('spot.deleted', uuidv7(), '{}')",
    "update private.events set data = '{}'",
    "delete from private.events",
  ])("refuses the API role: %s", async (statement) => {
    const before = await log();
    expect(await administrator.sqlError(statement)).toMatchObject(notGranted);
    expect(await log()).toEqual(before);
  });

  it("lets events be added", async () => {
    const before = await log();
    await building.resident(); // administrators get a notification of it
    expect(await log()).toHaveLength(before.length + 4); // registered, approved, notified of it
  });
});
