import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "../../support/arena.ts";
import { within } from "../../support/effort.ts";
import { type Person, requestJson } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { served } from "../../support/served.ts";
import { expectUnavailable } from "../../support/unavailable.ts";

/** The service waits 15 s for a silent server. A shorter time has the same effect. */
const QUERY_TIMEOUT_MS = 1_000;

let building: Arena;
let relay: Relay;
let program: Program;
let person: Person;
const startThroughRelay = () => {
  const url = relay.url(building.database.url("parking_api"));
  const DATABASE_URL = `${url}?query_timeout=${QUERY_TIMEOUT_MS}`;
  return startProgram(building, { ...noRateLimits, DATABASE_URL });
};
beforeAll(async () => {
  building = await openArena(2);
  person = await building.resident();
  relay = await startRelay(Number(new URL(building.database.url("parking_api")).port));
  program = await startThroughRelay();
});
afterAll(async () => {
  await program.stop();
  await relay.close();
  await building.close();
});

const ask = () => program.ask(person, "GET", "/parking-spots");

beforeEach(async () => {
  if (!program.isRunning()) program = await startThroughRelay();
});
/** The process survives each failure, and serves again when the database is back. */
afterEach(async () => {
  await relay.mend();
  // On a busy machine an answer of the database may take longer than this.
  expect(await served(() => program.ask(person, "GET", "/profile"))).toMatchObject({
    status: 200,
    body: { profile: { id: person.id } },
  });
});

describe("a database that refuses connections", () => {
  it("is 503 at once, for many requests too", async () => {
    await relay.refuse();
    const start = performance.now();
    for (const answer of await Promise.all(Array.from({ length: 30 }, ask))) {
      expectUnavailable(answer);
    }
    expect(performance.now() - start).toBeLessThan(within(3_000));
  });

  it("does not affect a request that is refused before a query", async () => {
    await relay.refuse();
    const { status, body } = await program.ask(person, "GET", "/claims/1");
    expect({ status, fields: Object.keys(body.details ?? {}) }).toEqual({
      status: 400,
      fields: ["id"],
    });
    expect((await requestJson(program.origin, "GET", "/api/claims")).status).toBe(401);
  });
});

describe("a database that refuses connections with an error", () => {
  it.each([
    ["57P03", "it is starting up"],
    ["57P01", "it is stopping"],
    ["53300", "it has too many clients"],
  ])("%s, %s: 503", async (sqlState) => {
    relay.answer(sqlState);
    relay.cut();
    expectUnavailable(await ask());
  });
});

describe("a database that falls silent", () => {
  it("is 503 when the query timeout ends", async () => {
    relay.hang();
    const start = performance.now();
    expectUnavailable(await ask());
    expect(performance.now() - start).toBeLessThan(within(QUERY_TIMEOUT_MS + 5_000));
  });

  it("is 503 in the end when no connection is established", async () => {
    relay.hang();
    relay.cut();
    const start = performance.now();
    expectUnavailable(await ask());
    expect(performance.now() - start).toBeLessThan(within(9_000));
  });
});
