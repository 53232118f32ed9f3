import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client, type QueryResult } from "pg";
import { withClient } from "../../src/database/client.ts";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import { rolledBack, setClaims } from "../support/sql.ts";
import { refusedBy, tryWithClaims } from "./support.ts";

const building = useBuilding();
let held: Holding;
beforeAll(async () => {
  held = await holding(building);
});

const tables = ["profiles", "spots", "availabilities", "claims", "notifications"];
const counts = tables.map((table) => `(select count(*)::int from parking.${table})`);
const countAll = `select ${counts.join(" + ")} as count`;

describe.each([
  null,
  "",
  " ",
  "garbage",
  "null",
  "[]",
  '"text"',
  "{}",
  '{"sub":null}',
  '{"sub":""}',
  '{"sub":"x"}',
  '{"sub":1}',
  '{"sub":{"id":"x"}}',
  '{"sub":"x","email":"a@b","email_verified":true}',
  '{"sub":"\\u0000"}',
])("the claims %j", (claims) => {
  let api: Client;
  beforeAll(async () => {
    api = new Client({ connectionString: building.database.url("parking_api") });
    await api.connect();
  });
  afterAll(() => api.end());

  /** Runs one statement and rolls it back. */
  const attempt = (statement: string): Promise<QueryResult> =>
    rolledBack(api, async () => {
      if (claims !== null) await setClaims(api, claims);
      return api.query(statement);
    });

  it("give no caller", async () => {
    const { rows } = await attempt(
      `select private.caller_id() as caller_id,
              private.is_approved() as is_approved,
              private.is_administrator() as is_administrator`,
    );
    expect(rows).toEqual([{ caller_id: null, is_approved: false, is_administrator: false }]);
  });

  it("show no rows", async () => {
    expect((await attempt(countAll)).rows).toEqual([{ count: 0 }]);
  });

  it("change no profile", async () => {
    const statement = "update parking.profiles set full_name = 'x'";
    expect((await attempt(statement)).rowCount).toBe(0);
  });

  it.each([
    "update parking.spots set building_section = 'x'",
    "update parking.availabilities set end_time = end_time",
    "update parking.claims set status = 'cancelled'",
    "update parking.notifications set is_read = true",
    "delete from parking.spots",
    "delete from parking.availabilities",
    "delete from parking.claims",
  ])("change no rows: %s", async (statement) => {
    await expect(attempt(statement)).rejects.toMatchObject(
      refusedBy("approved_account_required", "42501"),
    );
  });

  it.each([
    "insert into parking.spots (spot_number, building_section) values ('1', '1')",
    "insert into parking.profiles (id, email, apartment_number) values (uuidv7(), 'a@b', '1')",
  ])("add no rows: %s", async (statement) => {
    await expect(attempt(statement)).rejects.toMatchObject({ code: "42501" });
  });

  it.each([
    "list_spots",
    "list_availabilities",
    "list_claims",
    "list_notifications",
    "list_profiles",
    "recent_spots",
    "recent_claims",
    "get_user",
    "get_known_profile",
  ])("get no rows from api.%s", async (operation) => {
    expect((await attempt(`select from api.${operation}()`)).rowCount).toBe(0);
  });

  it("count nothing in api.get_dashboard", async () => {
    const { rows } = await attempt("select * from api.get_dashboard()");
    const zero = { total_spots: "0", active_spots: "0", total_claims: "0", active_claims: "0" };
    expect(rows).toEqual([zero]);
  });

  it.each(["require_approved", "require_administrator"])("are refused by %s", async (name) => {
    const broken = refusedBy("approved_account_required", "42501");
    await expect(attempt(`select private.${name}()`)).rejects.toMatchObject(broken);
  });

  it("have no profile, and cannot register one", async () => {
    const users = () => building.rows("select id from private.users order by id");
    const before = await users();

    await expect(attempt("select api.get_profile()")).rejects.toMatchObject({ code: "PT404" });
    await expect(attempt("select api.create_profile('1A')")).rejects.toMatchObject({
      code: expect.stringMatching(/^(PT400|23502)$/), // no address, or no id
    });

    expect(await users()).toEqual(before);
  });
});

describe("an identity", () => {
  it("gives access to rows", async () => {
    const claims = JSON.stringify({ sub: held.claimer.id });
    const { rows } = await tryWithClaims(building, claims, (api) => api.query(countAll));
    expect(rows).toEqual([{ count: 4 }]); // a profile, a spot, a window and a claim
  });

  it("ends with its transaction", async () => {
    await withClient(building.database.url("parking_api"), async (api) => {
      const claims = JSON.stringify({ sub: held.claimer.id });
      await api.query("begin");
      await setClaims(api, claims);
      await api.query("commit");
      expect((await api.query(countAll)).rows).toEqual([{ count: 0 }]);
    });
  });
});
