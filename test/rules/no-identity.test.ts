import { expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { holding, useBuilding } from "../support/building.ts";
import { opened } from "../support/opened.ts";
import { rolledBack, setClaims } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();
const held = opened(() => holding(building));

const tables = ["profiles", "spots", "availabilities", "claims", "notifications"];
const counts = tables.map((table) => `(select count(*)::int from parking.${table})`);
const countAll = `select ${counts.join(" + ")} as count`;

const noIdentity = [
  ...[null, "", " ", "garbage", "null", "[]", '"text"', "{}", '{"sub":null}', '{"sub":""}'],
  ...['{"sub":"x"}', '{"sub":1}', '{"sub":{"id":"x"}}', '{"sub":"\\u0000"}'],
  '{"sub":"x","email":"a@b","email_verified":true}',
];

const nothing = { rows: [] };
const refused = refusedBy("approved_account_required", "42501");
const zero = { total_spots: "0", active_spots: "0", total_claims: "0", active_claims: "0" };

/** What becomes of each statement: its result, or the error. */
const statements: readonly (readonly [statement: string, outcome: object])[] = [
  ["select private.caller_id() as is", { rows: [{ is: null }] }],
  ["select private.is_approved() as is", { rows: [{ is: false }] }],
  ["select private.is_administrator() as is", { rows: [{ is: false }] }],
  [countAll, { rows: [{ count: 0 }] }],
  ["update parking.profiles set full_name = 'x'", { rowCount: 0 }],
  ["update parking.spots set building_section = 'x'", refused],
  ["update parking.availabilities set end_time = end_time", refused],
  ["update parking.claims set status = 'cancelled'", refused],
  ["update parking.notifications set is_read = true", refused],
  ["delete from parking.spots", refused],
  ["delete from parking.availabilities", refused],
  ["delete from parking.claims", refused],
  [
    "insert into parking.spots (spot_number, building_section) values ('1', '1')",
    { code: "42501" },
  ],
  [
    "insert into parking.profiles (id, email, apartment_number) values (uuidv7(), 'a@b', '1')",
    { code: "42501" },
  ],
  ...[
    ...["list_spots", "list_availabilities", "list_claims", "list_notifications", "list_profiles"],
    ...["recent_spots", "recent_claims", "get_user", "get_stored_profile"],
  ].map((operation) => [`select * from api.${operation}()`, nothing] as const),
  ["select * from api.get_dashboard()", { rows: [zero] }],
  ["select private.require_approved()", refused],
  ["select private.require_administrator()", refused],
  ["select api.get_profile()", { code: "PT404" }],
  // There is no address, or no id.
  ["select api.create_profile('1A')", { code: expect.stringMatching(/^(PT400|23502)$/) }],
];

it.each(noIdentity)("the claims %j open nothing", async (claims) => {
  const users = () => building.rows("select id from private.users order by id");
  const before = await users();

  await withClient(building.database.url("parking_api"), (api) =>
    holdsForAll(statements, async ([statement, outcome]) => {
      const result = await rolledBack(api, async () => {
        if (claims !== null) await setClaims(api, claims);
        return api.query(statement);
      }).catch((error: unknown) => error);
      expect(result).toMatchObject(outcome);
    }),
  );

  expect(await users()).toEqual(before);
});

it("an identity ends with its transaction", async () => {
  await withClient(building.database.url("parking_api"), async (api) => {
    const claims = JSON.stringify({ sub: held.claimer.id });
    await api.query("begin");
    await setClaims(api, claims);
    await api.query("commit");
    expect((await api.query(countAll)).rows).toEqual([{ count: 0 }]);
  });
});
