import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "../../support/arena.ts";
import { type Claim, claimOf, spotOf, windowOf } from "../../support/building.ts";
import type { Answer, Failure, Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { everything } from "../../support/rows.ts";
import { served } from "../../support/served.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";

let building: Arena;
let program: Program;
let ann: Person;
let bob: Person;
let claimOfAnn: Claim;
beforeAll(async () => {
  building = await openArena(2);
  const owner = await building.resident();
  [ann, bob] = [await building.resident(), await building.resident()];
  claimOfAnn = await claimOf(ann, await windowOf(owner, await spotOf(owner)));
  program = await startProgram(building, noRateLimits);
});
beforeEach(async () => {
  if (!program.isRunning()) program = await startProgram(building, noRateLimits);
});
/** The process lives, and everybody sees only their own claims. */
afterEach(async () => {
  const claimsOf = (person: Person) => served(() => program.ask(person, "GET", "/claims"));
  expect(await claimsOf(bob)).toMatchObject({
    status: 200,
    body: { claims: [], total: 0 },
  });
  expect(await claimsOf(ann)).toMatchObject({
    status: 200,
    body: { claims: [{ id: claimOfAnn.id }], total: 1 },
  });
});
afterAll(async () => {
  await program.stop();
  await building.close();
});

/** Ends the program's connections, those that wait for a lock or those that are idle. */
const killBackends = (which: "Lock" | "Client") =>
  building.superuser.query(
    `select pg_terminate_backend(pid)
       from pg_stat_activity
      where datname = current_database()
        and application_name = 'parking'
        and wait_event_type = $1`,
    [which],
  );

/** Kills the backends of these requests while they wait for a lock of a table; each gets 503. */
const killWhileWaiting = (
  requests: () => readonly Promise<Answer<Failure>>[],
  table = "parking.claims",
): Promise<void> =>
  withTransactionOf(building.superuser, async (client) => {
    await client.query(`lock table ${table} in access exclusive mode`);
    let isAnswered = false;
    const answers = Promise.all(requests()).finally(() => {
      isAnswered = true;
    });
    // Several reads wait on one connection, and others for it.
    while (!isAnswered) await killBackends("Lock");
    for (const answer of await answers) expectUnavailable(answer);
  });

describe("a backend that is killed", () => {
  it("under a reading request: 503, and the next person is served", async () => {
    await killWhileWaiting(() => [program.ask(ann, "GET", "/claims")]);
  });

  it("under a writing request: 503, and nothing was written", async () => {
    const path = `/claims/${claimOfAnn.id}`;
    const complete = () => [program.ask(ann, "PUT", path, { status: "completed" })];
    const before = await everything(building);
    // Events are what it writes last.
    for (const table of ["parking.claims", "private.events"])
      await killWhileWaiting(complete, table);
    expect(await everything(building)).toEqual(before);
  });

  it("under ten requests at once: 503 each", async () => {
    await killWhileWaiting(() =>
      Array.from({ length: 10 }, (_, i) => program.ask(i % 2 ? ann : bob, "GET", "/claims")),
    );
  });

  it("while it is idle: the next requests succeed", async () => {
    await killBackends("Client");
    await until("an answer", async () => (await program.ask(bob, "GET", "/claims")).status === 200);
  });
});
