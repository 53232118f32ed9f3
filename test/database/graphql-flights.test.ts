import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Pool } from "pg";
import { describedRoutes } from "../../src/contract/described.ts";
import { createPool } from "../../src/database/pool.ts";
import { createSchema } from "../../src/graphql/schema/schema.ts";
import { createLogger } from "../../src/log/logger.ts";
import { ask, send } from "../graphql/ask.ts";
import { type Building, claimOf, openBuilding, spotOf, windowOf } from "../support/building.ts";
import { cloneDatabase } from "../support/database.ts";
import type { Person } from "../support/person.ts";

interface Site {
  readonly building: Building;
  /** GraphQL's connections: one. */
  readonly pool: Pool;
  /** How many times the database has answered. */
  readonly exchanges: () => number;
}

async function openSite(options = {}): Promise<Site> {
  const database = await cloneDatabase();
  const pool = createPool(database.url("parking_api"), createLogger("silent"), {
    max: 1,
    connectionTimeoutMillis: 10_000,
    ...options,
  });
  let exchanges = 0;
  pool.on("connect", ({ connection }) => connection.on("readyForQuery", () => exchanges++));
  const building = await openBuilding(
    { graphql: { pool, schema: async () => createSchema(pool, await describedRoutes(pool)) } },
    database,
  );
  return { building, pool, exchanges: () => exchanges };
}

const CLAIMS = "{ claims { totalCount nodes { id availability { spot { spotNumber } } } } }";
const NESTED = "{ spots { nodes { id claims(first: 5) { nodes { id } } } } }";

const namedStatements = async (pool: Pool): Promise<number> => {
  const sql = "select from pg_prepared_statements where name ~ '^graphql-[0-9a-f]{55}$'";
  return (await pool.query(sql)).rows.length;
};

let site: Site;
let building: Building;
let owner: Person;
let claimer: Person;
let stranger: Person;
beforeAll(async () => {
  site = await openSite();
  building = site.building;
  [owner, claimer, stranger] = [
    await building.resident(),
    await building.resident(),
    await building.resident(),
  ];
  await claimOf(claimer, await windowOf(owner, await spotOf(owner), 1, 5));
});
afterAll(async () => {
  await building.close();
  await site.pool.end();
});

const totalFor = async (person: Person, query = CLAIMS): Promise<number> =>
  (await ask<{ claims: { totalCount: number } }>(building, person, query)).claims.totalCount;

const setAdministrator = (person: Person, isAdmin: boolean) =>
  building.rows("update parking.profiles set is_admin = $2 where id = $1", [person.id, isAdmin]);

describe("a document that was asked before", () => {
  let expected: unknown;
  beforeEach(async () => {
    for (let i = 0; i < 3; i++) expected = await ask(building, claimer, CLAIMS);
  });

  it("is one exchange with the database", async () => {
    const before = site.exchanges();
    expect(await ask(building, claimer, CLAIMS)).toEqual(expected);
    expect(site.exchanges() - before).toBe(1);
  });

  it("has statements that the connection keeps", async () => {
    const kept = await namedStatements(site.pool);
    expect(kept).toBeGreaterThan(0);
    await ask(building, claimer, CLAIMS);
    expect(await namedStatements(site.pool)).toBe(kept);
  });

  it("is answered where the connection has lost its statements", async () => {
    await site.pool.query("deallocate all");
    expect(await ask(building, claimer, CLAIMS)).toEqual(expected);
  });

  it("leaves no transaction and no setting behind, also where it fails", async () => {
    const left = `select current_setting('request.jwt.claims', true) as claims,
      current_setting('transaction_isolation') as isolation`;
    const clean = [{ claims: "", isolation: "read committed" }];
    expect((await site.pool.query(left)).rows).toEqual(clean);
    await building.rows("alter table parking.claims rename column status to state");
    expect((await send(building, claimer, CLAIMS)).body.errors).toBeUndefined();
    const failing = "{ claims { totalCount nodes { status } } }";
    for (let i = 0; i < 3; i++)
      expect((await send(building, claimer, failing)).body.errors).toBeDefined();
    await building.rows("alter table parking.claims rename column state to status");
    expect((await site.pool.query(left)).rows).toEqual(clean);
    expect((await send(building, claimer, failing)).body.errors).toBeUndefined();
  });

  it("fails as a whole for an account that is not approved any more", async () => {
    const approve = (isApproved: boolean) =>
      building.rows("update parking.profiles set is_approved = $2 where id = $1", [
        claimer.id,
        isApproved,
      ]);
    await approve(false);
    const { status, body } = await send(building, claimer, CLAIMS);
    await approve(true);
    expect(status).toBe(403);
    expect(body.data).toBeUndefined();
    expect(body.errors?.[0]?.extensions.code).toBe("approved_account_required");
  });
});

it("a document asked for the first time has statements that no connection keeps", async () => {
  const kept = await namedStatements(site.pool);
  await ask(building, claimer, "{ claims(first: 17) { nodes { endTime } } }");
  expect(await namedStatements(site.pool)).toBe(kept);
});

it("an administrator sees all claims at once, and no longer than they are one", async () => {
  await building.administrator(); // a building keeps one
  const totals: number[] = [];
  for (const isAdmin of [false, true, true, false, true]) {
    await setAdministrator(stranger, isAdmin);
    totals.push(await totalFor(stranger));
  }
  await setAdministrator(stranger, false);
  expect(totals).toEqual([0, 1, 1, 0, 1]);
});

describe("a document whose rows lead to other rows", () => {
  it("finds them, also where there were none the times before", async () => {
    const query = `{ spots(condition: { buildingSection: "Later" }) {
      nodes { claims(first: 5) { nodes { id } } } } }`;
    for (let i = 0; i < 3; i++)
      expect(await ask(building, owner, query)).toEqual({ spots: { nodes: [] } });
    const window = await windowOf(owner, await spotOf(owner, "Later"), 10, 12);
    const claim = await claimOf(claimer, window);
    const claims = { claims: { nodes: [{ id: claim.id }] } };
    for (let i = 0; i < 3; i++)
      expect(await ask(building, owner, query)).toEqual({ spots: { nodes: [claims] } });
  });
});

it("without prepared statements no connection keeps one", async () => {
  const other = await openSite({ preparedStatements: false });
  const person = await other.building.resident();
  for (let i = 0; i < 3; i++) await ask(other.building, person, NESTED);
  const { rows } = await other.pool.query("select name from pg_prepared_statements");
  await other.building.close();
  await other.pool.end();
  expect(rows).toEqual([]);
});
