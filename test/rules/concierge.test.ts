import { beforeAll, describe, expect, it } from "@jest/globals";
import { Client, DatabaseError } from "pg";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import { callsOf, operationsOf, tablesOf } from "../support/operations.ts";
import type { Person } from "../support/person.ts";
import { reportOf } from "../support/spot-reports.ts";
import { claimsOf, rolledBack, setClaims } from "../support/sql.ts";
import { holdsForAll } from "../support/table.ts";
import { webhookOf } from "../support/webhooks.ts";

const building = useBuilding();
let api: Client;
let held: Holding;
const resident = building.shared("resident");
const concierge = building.shared("concierge");
const administrator = building.shared("administrator");
beforeAll(async () => {
  api = new Client({ connectionString: building.database.url("parking_api") });
  api.on("error", () => {}); // it ends with the database
  await api.connect();
  held = await holding(building);
  await webhookOf(administrator);
  await reportOf(held.owner, held.spot);
  await building.rows("delete from parking.notifications"); // the concierge was told of the car
});

/** How many rows a statement of this person concerns, or the code of the error. */
const rowsOf = (person: Person, sql: string) =>
  rolledBack(api, async () => {
    await setClaims(api, claimsOf(person));
    return api.query(sql);
  }).then(
    ({ rowCount }) => rowCount,
    (error: unknown) => {
      if (error instanceof DatabaseError) return error.constraint ?? error.code;
      throw error;
    },
  );

describe("a concierge", () => {
  it("reads, changes and deletes of each table but the reports of cars no more than a resident", async () => {
    const tables = (await tablesOf(building)).filter(({ name }) => name !== "parking.spot_reports");
    expect(tables.length).toBeGreaterThan(30);
    await holdsForAll(tables, async ({ name, column }) => {
      for (const sql of [
        `select ${column} from ${name}`,
        `update ${name} set ${column} = ${column} returning 1`,
        `delete from ${name} returning 1`,
      ])
        expect(await rowsOf(concierge, sql)).toEqual(await rowsOf(resident, sql));
    });
  });

  const own = ["parked", "find_residents", "resolve_spot_report"];
  const reports = ["list_spot_reports"]; // a resident gets a part of what it has

  it("gets of each function of api what a resident gets, but for these, as administrators do", async () => {
    const others = (await operationsOf(building)).filter(
      ({ name }) => ![...own, ...reports].includes(name),
    );
    expect(others.length).toBeGreaterThan(60);
    await holdsForAll(
      others.flatMap((it) => callsOf(it, held)),
      async (call) => {
        expect(await rowsOf(concierge, call)).toEqual(await rowsOf(resident, call));
      },
    );
    await holdsForAll(
      (await operationsOf(building)).filter(({ name }) => own.includes(name)),
      async (it) => {
        for (const call of callsOf(it, held)) {
          expect(await rowsOf(concierge, call)).toEqual(await rowsOf(administrator, call));
          expect(await rowsOf(resident, call)).toBe("administrator_required");
        }
      },
    );
  });

  it("sees the reports of cars, and deals with them, and writes nothing else there", async () => {
    const see = "select from api.list_spot_reports()";
    expect([await rowsOf(resident, see), await rowsOf(concierge, see)]).toEqual([0, 1]);
    const dealWith = "update parking.spot_reports set is_resolved = true";
    expect(await rowsOf(concierge, dealWith)).toBe(1);
    expect(await rowsOf(concierge, "update parking.spot_reports set note = 'x'")).toBe("42501");
    expect(await rowsOf(concierge, "delete from parking.spot_reports")).toBe("42501");
  });

  it("may not see who stood where more than a day ago", async () => {
    const parked = (past: string) => `select from api.parked(now() - interval '${past}')`;
    expect(await rowsOf(concierge, parked("23 hours"))).toEqual(expect.any(Number));
    expect(await rowsOf(concierge, parked("25 hours"))).toBe("administrator_required");
    expect(await rowsOf(administrator, parked("25 hours"))).toEqual(expect.any(Number));
  });

  it("is not one before the account is approved, nor after that was taken back", async () => {
    const suspended = await building.concierge();
    const find = "select from api.find_residents('1A')";
    expect(await rowsOf(suspended, find)).toEqual(expect.any(Number));
    await building.rows("update parking.profiles set is_approved = false where id = $1", [
      suspended.id,
    ]);
    expect(await rowsOf(suspended, find)).toBe("approved_account_required");
  });
});
