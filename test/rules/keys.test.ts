import { beforeAll, describe, expect, it } from "@jest/globals";
import { Client, DatabaseError } from "pg";
import type { Scope } from "../../src/contract/route.ts";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import { claimsOfKey, type Machine, machineOf } from "../support/keys.ts";
import { callsOf, operationsOf, tablesOf } from "../support/operations.ts";
import { patternOf, threeDays } from "../support/patterns.ts";
import { rolledBack, setClaims } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { webhookOf } from "../support/webhooks.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
let held: Holding;
let all: Machine;
let api: Client;
beforeAll(async () => {
  api = new Client({ connectionString: building.database.url("parking_api") });
  api.on("error", () => {}); // it ends with the database
  await api.connect();
  held = await holding(building);
  await webhookOf(administrator);
  all = await machineOf(building, administrator, ["gate", "reports", "events"]);
});

/** What a statement gives the caller with these claims: its rows, or the code of the error. */
const givenTo = (claims: string, sql: string) =>
  rolledBack(api, async () => {
    await setClaims(api, claims);
    return api.query(sql);
  }).then(
    ({ rows }) => rows,
    (error: unknown) => {
      if (error instanceof DatabaseError) return error.code;
      throw error;
    },
  );
const given = (key: Pick<Machine, "id">, sql: string) => givenTo(claimsOfKey(key), sql);

describe("a key with all scopes", () => {
  const [NOT_GRANTED, GENERATED, NO_TABLE] = ["42501", "428C9", "55000"];
  /** Tables and views that say nothing of the building. */
  const open = ["private.absences", "private.page_files", "private.rules"];

  it("reads and writes no row of any table", async () => {
    const tables = (await tablesOf(building)).filter(({ name }) => !open.includes(name));
    expect(tables.length).toBeGreaterThan(30);
    await holdsForAll(tables, async ({ name, column }) => {
      const read = await given(all, `select count(${column})::int as count from ${name}`);
      expect([[{ count: 0 }], NOT_GRANTED]).toContainEqual(read);
      const changed = await given(all, `update ${name} set ${column} = ${column} returning 1`);
      expect([[], NOT_GRANTED, GENERATED, NO_TABLE]).toContainEqual(changed);
      const deleted = await given(all, `delete from ${name} returning 1`);
      expect([[], NOT_GRANTED, NO_TABLE]).toContainEqual(deleted);
    });
  });

  /** What each scope opens. */
  const functions: Readonly<Record<string, Scope>> = {
    get_events: "events",
    gate: "gate",
    gate_today: "gate",
    create_passage: "gate",
    ...Object.fromEntries(
      `use_by_hour use_by_section spots_never_offered windows_never_claimed unmet_wishes`
        .split(/\s+/)
        .map((name) => [name, "reports" as const]),
    ),
  };
  it("gets of each function of api what nobody gets, but for those of its scopes", async () => {
    const others = (await operationsOf(building)).filter(
      ({ name }) => functions[name] === undefined,
    );
    expect(others.length).toBeGreaterThan(60);
    await holdsForAll(
      others.flatMap((it) => callsOf(it, held).map((call) => [call, it.volatile] as const)),
      async ([call, isVolatile]) => {
        const result = await given(all, call);
        expect(result).toEqual(await givenTo("", call));
        if (isVolatile) expect(result).toEqual(expect.any(String)); // an error
      },
    );
  });

  it("gets of those of its scopes what they are for, and without the scope an error", async () => {
    const without = {
      gate: await machineOf(building, administrator, ["reports", "events"]),
      events: await machineOf(building, administrator, ["gate", "reports"]),
      reports: await machineOf(building, administrator, ["gate", "events"]),
    };
    const ofScopes = (await operationsOf(building)).filter(
      ({ name }) => functions[name] !== undefined,
    );
    await holdsForAll(
      ofScopes.flatMap((it) => {
        const scope = functions[it.name];
        return scope ? callsOf(it, held).map((call) => [scope, call] as const) : [];
      }),
      async ([scope, call]) => {
        expect(await given(all, call)).toEqual(expect.any(Array));
        const other = without[scope];
        expect(await given(other, call)).toEqual(scope === "events" ? [{ r: null }] : "42501");
      },
    );
  });
});

it("a key, which has no account as the service has none, is not told which patterns are due", async () => {
  await patternOf(held.owner, threeDays(held.spot));
  await building.rows("update parking.patterns set published_until = null");
  const due = "select count(*)::int as count from private.due_patterns()";
  expect(await givenTo("", due)).toEqual([{ count: 1 }]);
  expect(await given(all, due)).toEqual([{ count: 0 }]);
});

describe("key_scope_required", () => {
  it("refuses a key that was withdrawn or has ended, at once, and one that is made up", async () => {
    const report = "select * from api.use_by_hour('2029-11-01', '2029-11-02')";
    const made = await machineOf(building, administrator, ["reports"]);
    expect(await given(made, report)).toHaveLength(168);
    await administrator.delete(`/admin/keys/${made.id}`, 200);
    expect(await given(made, report)).toBe("42501");
    expect(await given({ id: administrator.id }, report)).toBe("42501");
    const ended = await machineOf(building, administrator, ["reports", "events"]);
    await building.rows(
      "update parking.keys set created_at = now() - interval '1 day', expires_at = now() where id = $1",
      [ended.id],
    );
    expect(await given(ended, report)).toBe("42501");
    const position = "select private.current_position() as at";
    expect(await given(ended, position)).toEqual([{ at: null }]);
    const heard = await building.rows<{ seen_by: number[] }>(
      "select seen_by from private.read_events(0, array[$1, $2]::uuid[]) where type is null",
      [ended.id, all.id],
    );
    expect(heard).toEqual([{ seen_by: [2] }]);
    const both = JSON.stringify({ key: all.id, sub: held.claimer.id });
    expect(await givenTo(both, report)).toBe("42501");
  });
});
