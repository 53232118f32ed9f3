import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { contradictions } from "../../concurrency/consistency.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { databaseAfter, upgrade } from "./versions.ts";

let database: TestDatabase;
let owner: string;
beforeEach(async () => {
  database = await cloneDatabase("template1");
  owner = database.url("parking_owner");
});
afterEach(() => database.drop());

const query = (sql: string) =>
  withClient(owner, async (client) => {
    const results = [await client.query(sql)].flat();
    return results.at(-1)?.rows ?? [];
  });

const [ADA, BOB, EVE] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
/** Statements of a person, who is approved. */
const as = (id: string | undefined, sql: string) =>
  query(`begin; select set_config('request.jwt.claims', '{"sub":"${id}"}', true); ${sql}; commit`);
const at = (hour: number) => `(date_trunc('day', now()) + interval '${72 + hour} hours')`;
const spot = (number: string) => `(select id from parking.spots where spot_number = '${number}')`;
const window = (number: string, hour: number) =>
  `(select id from parking.availabilities
     where spot_id = ${spot(number)} and start_time <= ${at(hour)} and end_time > ${at(hour)})`;
const claim = (number: string, from: number, to: number) =>
  `select api.create_claim(${window(number, from)}, ${at(from)}, ${at(to)})`;

/** What is free of each spot from now on, and what claims there are. */
const freeOf = (free: string) =>
  query(`select s.spot_number, (range_agg(f.span) * tstzmultirange(tstzrange(now(), null)))::text as free
           from parking.spots s
           join parking.availabilities a on a.spot_id = s.id
          cross join lateral (${free}) f (span)
          where a.end_time > now()
          group by s.id order by 1`);
const claims = () =>
  query("select id, start_time, end_time, status, availability_id from parking.claims order by id");

it("keeps what was free, and every claim, of a building whose windows were cut", async () => {
  await databaseAfter(owner, 11);
  for (const id of [ADA, BOB, EVE])
    await query(`
      insert into private.users (id, email) values ('${id}', '${id}@example.org');
      insert into parking.profiles (id, email, full_name, apartment_number, is_approved)
      values ('${id}', '${id}@example.org', 'A Person', '1', true)`);
  for (const number of ["cut", "kept", "away", "weekly", "absent", "whole"])
    await as(ADA, `select api.create_spot('${number}', 'North')`);
  await query("update parking.building set rest_stays_on_offer = true");
  for (const number of ["cut", "kept", "away"])
    await as(ADA, `select api.create_availability(${spot(number)}, ${at(8)}, ${at(18)})`);
  await as(BOB, claim("cut", 10, 12));
  await as(EVE, claim("cut", 12, 13));
  await as(ADA, `select api.create_exception(${at(10)}, ${at(12)}, 'keep', ${spot("kept")})`);
  await as(BOB, claim("away", 9, 10));
  await as(BOB, `update parking.claims set status = 'cancelled' where start_time = ${at(9)}`);
  await as(ADA, `select api.create_exception(${at(8)}, ${at(18)}, 'keep', ${spot("away")})`);
  await as(
    ADA,
    `select api.create_pattern(${spot("weekly")}, array['MO','TU','WE','TH','FR','SA','SU'], '08:00', '18:00', ${at(0)}::date)`,
  );
  await as(ADA, `select api.delete_availability(${window("weekly", 48 + 10)})`);
  await as(BOB, claim("weekly", 10, 11));
  await as(ADA, `select api.create_exception(${at(8)}, ${at(40)}, 'share', ${spot("absent")})`);
  await as(EVE, claim("absent", 20, 22));
  await query("update parking.building set rest_stays_on_offer = false");
  await as(ADA, `select api.create_availability(${spot("whole")}, ${at(8)}, ${at(18)})`);
  await as(BOB, claim("whole", 9, 10));
  const before = {
    free: await freeOf("select a.during where not a.is_claimed"),
    claims: await claims(),
  };
  expect(before.free).toHaveLength(4);
  expect(before.claims).toHaveLength(6);

  await upgrade(owner);

  const due = await query("select id, owner_id from private.due_patterns()");
  for (const { id, owner_id } of due)
    await query(`begin; select private.extend_pattern('${id}', '${owner_id}'); commit`);
  const free = "select unnest(private.free_times(a))";
  expect({ free: await freeOf(free), claims: await claims() }).toEqual(before);
  expect(await query(contradictions)).toEqual([]);
  expect(await query("table private.count_drifts")).toEqual([]);

  await query("update parking.building set rest_stays_on_offer = true");
  for (const { id } of await query("select id from parking.exceptions where kind = 'keep'"))
    await as(ADA, `select api.delete_exception('${id}')`);
  const spans = Object.fromEntries(
    (await freeOf(free)).map((row: { spot_number: string; free: string }) => [
      row.spot_number,
      row.free.split(",").length / 2,
    ]),
  );
  // In one piece again, each with the window that it had.
  expect(spans).toMatchObject({ kept: 1, away: 1 });
});
