import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { printSchema } from "graphql";
import { formOf } from "../../src/contract/columns.ts";
import { describedRoutes } from "../../src/contract/described.ts";
import { withClient } from "../../src/database/client.ts";
import { createSchema } from "../../src/graphql/schema/schema.ts";
import type { OpenApiDocument } from "../../src/openapi/types.ts";
import { type Building, openBuilding } from "../support/building.ts";
import { cloneDatabase } from "../support/database.ts";
import { requestJson } from "../support/person.ts";

/** What a DBA may change by a migration. */
const MIGRATION = `
  alter table parking.spots
    drop constraint spots_spot_number_is_one_line,
    add constraint spots_spot_number_is_one_line
      check (private.is_one_line(spot_number, 2, 5));
  do $do$
  declare
    v_check text := pg_get_constraintdef(oid)
      from pg_constraint where conname = 'limits_are_in_range';
  begin
    v_check := replace(replace(replace(v_check, '36500', '300'), '525600', '6000'), '1000', '20');
    alter table parking.limits drop constraint limits_are_in_range;
    execute 'alter table parking.limits add constraint limits_are_in_range ' || v_check;
  end $do$;
  comment on column parking.spots.spot_number is 'What is painted on the ground.';
  alter table parking.spots
    add constraint spots_not_thirteen check (spot_number <> '13'),
    add constraint spots_number_is_short check (private.is_one_line(spot_number, 2, 3));
  comment on constraint spots_number_is_short on parking.spots is 'Three characters are enough'`;

let building: Building;
beforeAll(async () => {
  const database = await cloneDatabase();
  await withClient(database.url("parking_owner"), (owner) => owner.query(MIGRATION));
  building = await openBuilding({}, database);
});
afterAll(() => building.close());

describe("after a migration and a restart", () => {
  it("a request is refused by the new lengths, with details", async () => {
    const resident = await building.resident();
    const spot = { spot_number: "123456", building_section: "North" };
    const { status, body } = await resident.post("/parking-spots", spot);
    expect([status, body.details]).toEqual([
      400,
      { spot_number: { _errors: ["must NOT have more than 5 characters"] } },
    ]);
  });

  it("a request is refused by the new ranges", async () => {
    const administrator = await building.administrator();
    const limits = { horizon_days: 301, claim_notice_minutes: 6001, most_active_claims: 21 };
    expect((await administrator.put("/admin/building", limits)).body.details).toEqual({
      horizon_days: { _errors: ["must be <= 300"] },
      claim_notice_minutes: { _errors: ["must be <= 6000"] },
      most_active_claims: { _errors: ["must be <= 20"] },
    });
  });

  it("a second, narrower rule refuses with its own message", async () => {
    const resident = await building.resident();
    const spot = { spot_number: "1234", building_section: "North" };
    expect((await resident.post("/parking-spots", spot)).body).toEqual({
      error: "Three characters are enough",
    });
  });

  it("the description says the same", async () => {
    const { origin } = building.service;
    const { body } = await requestJson<OpenApiDocument>(origin, "GET", "/api/openapi.json");
    const { NewSpot, BuildingChange } = body.components.schemas;
    expect(NewSpot).toMatchObject({
      properties: {
        spot_number: {
          minLength: 2,
          maxLength: 5,
          description: "What is painted on the ground.",
        },
      },
    });
    expect(BuildingChange).toMatchObject({
      properties: { horizon_days: { minimum: 1, maximum: 300 } },
    });
  });

  it("GraphQL's mutations say the same", async () => {
    const schema = printSchema(
      await createSchema(building.service.pool, await describedRoutes(building.service.pool)),
    );
    expect(schema).toMatch(/input CreateSpotInput \{\n\s+"""What is painted on the ground\."""/);
  });
});

it("a copy that a DBA made of a table, in another schema says nothing of the fields", async () => {
  const before = await describedRoutes(building.service.pool);
  await building.rows(`
    create table private.spots (like parking.spots including comments);
    create table parking.users (like private.users);
    comment on table private.spots is 'A copy, in case of need';
    comment on column private.spots.spot_number is 'A copy'`);
  expect(await describedRoutes(building.service.pool)).toEqual(before);
  await building.rows("drop table private.spots, parking.users");
});

describe("a check that the service cannot read", () => {
  it("leaves the length out of the description, and is named in the log", async () => {
    const database = await cloneDatabase();
    await withClient(database.url("parking_owner"), (owner) =>
      owner.query(`
        alter table parking.spots
          drop constraint spots_notes_are_one_line,
          add constraint spots_notes_are_one_line check (char_length(notes) between 1 and 300);
        comment on constraint spots_notes_are_one_line on parking.spots is
          E'@field notes\nnotes must be 1 to 300 characters'`),
    );
    const other = await openBuilding({}, database);
    const warnings: string[] = [];
    await describedRoutes(other.service.pool, (warning) => warnings.push(warning));
    expect(warnings).toEqual([
      "no check says how long or large spots.notes may be in a way that the service can read (docs/conventions.md): the description leaves it out",
    ]);

    const { origin } = other.service;
    const { body } = await requestJson<OpenApiDocument>(origin, "GET", "/api/openapi.json");
    const { NewSpot } = body.components.schemas;
    expect(NewSpot).toMatchObject({ properties: { notes: { type: "string" } } });
    expect(NewSpot).not.toHaveProperty("properties.notes.maxLength");

    const resident = await other.resident();
    const spot = { spot_number: "N-1", building_section: "North", notes: "n".repeat(301) };
    expect((await resident.post("/parking-spots", spot)).body).toMatchObject({
      error: "notes must be 1 to 300 characters",
    });
    expect((await resident.post("/parking-spots", { ...spot, notes: "Low" })).status).toBe(201);
    await other.close();
  });

  it.each([
    ["an alternative", "CHECK (((section = 'Roof'::text) OR private.is_one_line(number, 1, 5)))"],
    ["a negation", "CHECK ((NOT private.is_one_line(number, 1, 5)))"],
    ["another column", "CHECK (private.is_one_line(number_of_spot, 1, 5))"],
    ["a bound of only one of several", "CHECK ((GREATEST(number, other) >= 5))"],
    ["a regular expression of PostgreSQL's own", "CHECK ((number ~ '^\\d+$'::text))"],
  ])("says nothing: %s", (_what, check) => {
    expect(formOf("number", check)).toEqual({});
  });

  it.each([
    ["CHECK (private.is_one_line(number, 1, 5)) NOT VALID", { minLength: 1, maxLength: 5 }],
    ["CHECK (((number >= 1) AND (number <= 9)))", { minimum: 1, maximum: 9 }],
    [
      "CHECK ((private.is_one_line(number, 1, 5) AND (number ~~ '_@_'::text)))",
      { minLength: 1, maxLength: 5 },
    ],
  ])("may be a part of one that it can read: %s", (check, form) => {
    expect(formOf("number", check)).toEqual(form);
  });
});
