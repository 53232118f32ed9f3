import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Pool } from "pg";
import { type Building, hours, openBuilding } from "../../support/building.ts";
import type { Person } from "../../support/person.ts";

/** How many statements a connection keeps. */
const MOST = 100;
const CONNECTIONS = 2;

let building: Building;
let person: Person;
let superuser: Pool;
beforeAll(async () => {
  building = await openBuilding({ connections: CONNECTIONS });
  person = await building.resident();
  superuser = new Pool({ connectionString: building.database.url("postgres"), max: 1 });
  superuser.on("error", () => {}); // the database is dropped under it
  await superuser.query(
    `grant select on pg_backend_memory_contexts to parking_api;
     grant execute on function pg_get_backend_memory_contexts() to parking_api`,
  );
});
afterAll(async () => {
  await superuser.end();
  await building.close();
});

/** Filters of windows that can be given together in any combination. */
const filters: readonly (readonly [name: string, value: string])[] = [
  ["spot_id", "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e"],
  ["owner_id", "0197e2b0-6f1e-7c3a-9d52-5b8f0a1c2d3e"],
  ["is_claimed", "false"],
  ["building_section", "North"],
  ["start_date", hours(1)],
  ["end_date", hours(2)],
  ["overlaps_start", hours(1)],
  ["overlaps_end", hours(2)],
  ["free_from", hours(1)],
  ["free_until", hours(2)],
  ["limit", "7"],
  ["offset", "1"],
];

/** A query for each number: some bits say which filters it has. Neighbours differ in many. */
const shape = (number: number): string =>
  filters
    .filter((_, bit) => ((number * 1_365) >> bit) % 2 === 1)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** What each backend of the service holds. */
async function backends(): Promise<readonly { statements: number; bytes: number }[]> {
  const { pool } = building.service;
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.connect()));
  const found = await Promise.all(
    clients.map((client) =>
      client.query(
        `select (select count(*)::int from pg_prepared_statements) as statements,
                (select sum(total_bytes)::int from pg_backend_memory_contexts) as bytes`,
      ),
    ),
  );
  for (const client of clients) client.release();
  return found.map(({ rows: [row] }) => row);
}

const ask = async (number: number): Promise<void> => {
  const response = await fetch(`${building.service.origin}/api/availabilities?${shape(number)}`, {
    headers: { Authorization: `Bearer ${person.token}` },
  });
  expect([number, response.status]).toEqual([number, 200]);
  await response.arrayBuffer();
};

/** Asks with the shapes of all numbers up to this, several at once. */
async function askUpTo(last: number, times = 1): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < last) {
      const number = next++;
      for (let time = 0; time < times; time++) await ask(number);
    }
  };
  await Promise.all(Array.from({ length: 2 * CONNECTIONS }, worker));
}

describe("the prepared statements of a backend", () => {
  it("stay few after 3,000 shapes of one list, asked for once", async () => {
    await askUpTo(3_000);
    for (const { statements } of await backends()) expect(statements).toBeLessThanOrEqual(20);
  }, 300_000);

  it("are at most a hundred, and so is their memory, when shapes are asked for again", async () => {
    await askUpTo(450, 3); // by then each has all that it keeps, however they share the requests
    // How large the largest plans are depends on which shapes each backend has met.
    const most = 2 * Math.max(...(await backends()).map(({ bytes }) => bytes));
    await askUpTo(900, 3);
    for (const { statements, bytes } of await backends()) {
      expect(statements).toBeGreaterThan(20);
      expect(statements).toBeLessThanOrEqual(MOST);
      expect(bytes).toBeLessThan(most);
    }
  }, 300_000);
});
