import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { withClient } from "../../src/database/client.ts";
import { spotOf, useBuilding } from "../support/building.ts";
import { type Person, personOf } from "../support/person.ts";
import { type Service, startService } from "../support/service.ts";
import { ask } from "./ask.ts";

const building = useBuilding();
const owner = building.shared("resident");
const claimer = building.shared("resident");
beforeAll(async () => {
  const spot = await spotOf(owner);
  const times = { start_time: "2101-01-01T22:00:00.000Z", end_time: "2101-01-02T00:00:00.000Z" };
  const { body } = await owner.post<{ availability: { id: string } }>(
    "/availabilities",
    { spot_id: spot.id, ...times },
    201,
  );
  await claimer.post("/claims", { availability_id: body.availability.id, ...times }, 201);
});

/** How many rows each way to read finds. */
async function found(
  list: "availabilities" | "claims",
  filter: Readonly<Record<string, string>>,
  reader = claimer,
  service = building.service,
) {
  const rest = await reader.get<{ total: number }>(`/${list}?${new URLSearchParams(filter)}`, 200);
  const condition = Object.entries(filter)
    .map(([name, value]) => `${name.replace("_d", "D")}: ${JSON.stringify(value)}`)
    .join(", ");
  const { rows } = await ask<{ rows: { totalCount: number } }>(
    { service },
    reader,
    `{ rows: ${list}(condition: { ${condition} }) { totalCount } }`,
  );
  return { rest: rest.body.total, graphql: rows.totalCount };
}

const none = { rest: 0, graphql: 0 };
const one = { rest: 1, graphql: 1 };

/** PgBouncer gives all sessions the time zone of the first one, whatever the role has since. */
const describeWithoutPgBouncer = process.env.PGBOUNCER ? describe.skip : describe;

describeWithoutPgBouncer.each(["Asia/Kolkata", "America/Lima"])("with sessions in %s", (zone) => {
  let service: Service;
  let api: Pool;
  let reader: Person;
  beforeAll(async () => {
    const { name, url } = building.database;
    await withClient(url("postgres"), (client) =>
      client.query(`alter role parking_api in database ${name} set timezone = '${zone}'`),
    );
    service = await startService(url("parking_api"));
    api = new Pool({ connectionString: url("parking_api"), max: 1 });
    reader = await personOf(service, api, claimer.id);
  });
  afterAll(async () => {
    await service.close();
    await api.end();
  });

  it.each(["availabilities", "claims"] as const)("a date is midnight UTC for %s", async (list) => {
    const days = { start_date: "2101-01-01", end_date: "2101-01-03" };
    const find = (filter: Readonly<Record<string, string>>) => found(list, filter, reader, service);

    expect((await reader.sql("show timezone")).rows).toEqual([{ TimeZone: zone }]);
    expect(await find(days)).toEqual(one);
    expect(await find({ ...days, end_date: "2101-01-02" })).toEqual(none);
    expect(await find({ ...days, start_date: "2101-01-02" })).toEqual(none);
  });
});
