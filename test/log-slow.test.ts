import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "./support/arena.ts";
import { type Spot, spotOf } from "./support/building.ts";
import type { Person } from "./support/person.ts";
import { type Program, startProgram } from "./support/program.ts";
import { withTransactionOf } from "./support/sql.ts";
import { until, untilWaiting } from "./support/waiting.ts";

const MILLISECONDS = 200;

let building: Arena;
let program: Program;
let person: Person;
let spot: Spot;
beforeAll(async () => {
  building = await openArena(2);
  person = await building.resident();
  spot = await spotOf(person);
  const settings = { LOG_LEVEL: "warn", SLOW_STATEMENT_MILLISECONDS: String(MILLISECONDS) };
  program = await startProgram(building, settings);
});
afterAll(async () => {
  await program.stop();
  await building.close();
});

const slow = () =>
  program.log
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === "slow statements");

/** Sends a request that waits for a lock until it is slow. */
async function askSlowly(method: string, path: string, body: unknown) {
  const before = slow().length;
  const answer = await withTransactionOf(building.superuser, async (client) => {
    await client.query("lock table parking.spots in access exclusive mode");
    const asked = program.ask(person, method, path, body);
    await untilWaiting(building, 1);
    await client.query("select pg_sleep($1)", [MILLISECONDS / 1000]);
    await client.query("rollback");
    return asked;
  });
  await until("the line", () => slow().length > before);
  return { id: answer.headers.get("X-Request-Id"), lines: slow().slice(before) };
}

describe("statements that take long", () => {
  it("are named in the log, with the request and without its values", async () => {
    const change = { building_section: "Secret garden" };
    const { id, lines } = await askSlowly("PUT", `/parking-spots/${spot.id}`, change);

    expect(lines).toEqual([
      {
        level: "warn",
        time: expect.any(String),
        requestId: id,
        statements: [expect.stringMatching(/^update_spot-/)],
        milliseconds: expect.any(Number),
        message: "slow statements",
      },
    ]);
    expect(lines[0].milliseconds).toBeGreaterThanOrEqual(MILLISECONDS);
    expect(program.log.join()).not.toMatch(new RegExp(`Secret garden|${spot.id}`));
  });

  it("are logged for GraphQL", async () => {
    const query = `{ spots(condition: { buildingSection: "Secret" }) { totalCount } }`;
    await program.ask(person, "POST", "/graphql", { query }); // makes the schema, which waits for locks too
    const { id, lines } = await askSlowly("POST", "/graphql", { query });

    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(line).toMatchObject({ requestId: id, statements: ["graphql"] });
    expect(program.log.join()).not.toContain("Secret");
  });

  it("are not logged where they take less", async () => {
    const before = slow().length;
    expect(await program.ask(person, "GET", "/parking-spots")).toMatchObject({ status: 200 });
    expect(slow()).toHaveLength(before);
  });
});
