import { describe, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { isField } from "../../src/contract/schemas.ts";
import { withClient } from "../../src/database/client.ts";
import { pageStep } from "../../src/rest/statements.ts";
import type { Arguments } from "../../src/rest/validation.ts";
import { offer, spotOf, useBuilding } from "../support/building.ts";

const building = useBuilding();

/** The plan of a query as the API role, where a scan of the whole table is no choice. */
const planOf = (query: string, preparation = "select"): Promise<string> =>
  withClient(building.database.url("postgres"), async (client) => {
    await client.query("begin");
    await client.query(preparation);
    await client.query("set local role parking_api");
    await client.query("set local enable_seqscan = off");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${query}`);
    await client.query("rollback");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });

describe("the windows of a spot", () => {
  it("are not looked for in the index against overlaps, which begins with the time", async () => {
    const { spot } = await offer(building);
    const query = `select count(*) from parking.availabilities where spot_id = '${spot.id}'`;
    const withoutItsOwn = "drop index parking.availabilities_spot_id_start_time_idx";

    expect(await planOf(query)).toContain("availabilities_spot_id_start_time_idx");
    expect(await planOf(query, withoutItsOwn)).not.toContain("availabilities_do_not_overlap");
  });
});

/** The plan that a prepared statement of a list has for all values of its parameters. */
const planOfList = (call: string, values: Arguments): Promise<string> => {
  const route = routes.find((it) => it.call === call);
  const list = route?.answer.properties[route.table ?? ""];
  if (!route?.order || list?.type !== "array" || isField(list))
    throw new Error(`${call} is no list`);
  const { text } = pageStep(route, route.order, list.items)({ limit: 50, offset: 0, ...values });
  return planOf(`(generic_plan) ${text}`, "set local enable_sort = off");
};

describe("a page", () => {
  const id = "018f0000-0000-7000-8000-000000000000";
  const start = "2030-01-01T00:00:00.000Z";

  it.each<[string, Arguments, readonly string[]]>([
    ["list_spots", {}, ["spots_spot_number_id_idx"]],
    ["list_spots", { owner_id: id }, ["spots_owner_id_spot_number_idx"]],
    ["list_spots", { building_section: "A" }, ["spots_building_section_spot_number_idx"]],
    ["list_availabilities", {}, ["availabilities_start_time_id_idx"]],
    ["list_availabilities", { spot_id: id }, ["availabilities_spot_id_start_time_idx"]],
    ["list_availabilities", { owner_id: id }, ["availabilities_owner_id_start_time_idx"]],
    ["list_availabilities", { is_claimed: false }, ["availabilities_free_start_time_idx"]],
    ["list_availabilities", { start_date: start }, ["availabilities_start_time_id_idx"]],
    [
      "list_availabilities",
      { overlaps_start: start, overlaps_end: start },
      ["availabilities_start_time_id_idx"],
    ],
    [
      "list_availabilities",
      { free_from: start, free_until: start, building_section: "A" },
      ["availabilities_free_start_time_idx"],
    ],
    ["list_profiles", {}, ["profiles_created_at_id_idx"]],
    ["list_claims", { spot_id: id }, ["claims_spot_id_start_time_idx"]],
    ["list_claims", { claimer_id: id, status: "active" }, ["claims_claimer_id_start_time_idx"]],
    [
      "list_claims",
      { overlaps_start: start },
      [
        "claims_claimer_id_start_time_idx",
        "claims_owner_id_start_time_idx",
        "claims_start_time_id_idx",
      ],
    ],
    [
      "list_claims",
      { end_date: start, offset: 5 },
      [
        "claims_claimer_id_start_time_idx",
        "claims_owner_id_start_time_idx",
        "claims_start_time_id_idx",
      ],
    ],
  ])("of %s with %j is read in the order of an index", async (call, values, indexes) => {
    const plan = await planOfList(call, values);
    for (const index of indexes) expect(plan).toContain(`Index Scan using ${index}`);
    expect(plan).not.toMatch(/Sort +\(/);
  });

  it("begins at the values of its filters", async () => {
    const plan = await planOfList("list_availabilities", { spot_id: id, start_date: start });
    expect(plan).toContain("Index Cond: ((spot_id = $1) AND (start_time >= $2))");
  });
});

it("the owners who are not approved are found without reading all profiles", async () => {
  const plan = await planOf(
    "select id from parking.profiles where not is_approved",
    "set local enable_bitmapscan = off",
  );
  expect(plan).toContain("profiles_not_approved_idx");
});

it("a claim finds its window by its id, not among all windows of its time", async () => {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spots = await Promise.all(Array.from({ length: 20 }, () => spotOf(owner)));
  await building.rows(
    `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
     select s.id, s.owner_id, start, start + interval '2 hours'
       from parking.spots s
      cross join generate_series(1, 60) day
      cross join date_trunc('hour', now() + day * interval '1 day') start
      where s.owner_id = $1`,
    [owner.id],
  );
  await building.rows("analyze parking.availabilities");

  const read = await withClient(building.database.url("postgres"), async (client) => {
    const entriesRead = async (): Promise<number> => {
      await client.query("select pg_stat_force_next_flush()");
      const { rows } = await client.query(
        "select pg_stat_get_tuples_returned('parking.availabilities_do_not_overlap'::regclass)",
      );
      return Number(rows[0].pg_stat_get_tuples_returned);
    };
    const before = await entriesRead();
    await client.query(`
      begin;
      set local plan_cache_mode = force_generic_plan;
      set local role parking_api;
      select set_config('request.jwt.claims', '{"sub": "${claimer.id}"}', true);
      select api.create_claim(a.id, a.start_time, a.end_time)
        from (select * from parking.availabilities order by start_time desc limit 1) a;
      commit`);
    return (await entriesRead()) - before;
  });

  expect(read).toBeLessThan(spots.length);
});
