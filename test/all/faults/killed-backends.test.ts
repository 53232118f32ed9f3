import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Arena, openArena } from "../../support/arena.ts";
import { type Claim, claimOf, hours, type Spot, spotOf, windowOf } from "../../support/building.ts";
import { except } from "../../support/exceptions.ts";
import { invite, invited, newAddress } from "../../support/invitations.ts";
import { patternOf, threeDays } from "../../support/patterns.ts";
import type { Answer, Failure, Person } from "../../support/person.ts";
import { noRateLimits, type Program, startProgram } from "../../support/program.ts";
import { everything } from "../../support/rows.ts";
import { served } from "../../support/served.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until } from "../../support/waiting.ts";
import { wishOf } from "../../support/wishes.ts";

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
    await killWhileWaiting(() => [program.ask(ann, "PUT", path, { status: "completed" })]);
    expect(await building.rows("select status from parking.claims")).toEqual([
      { status: "active" },
    ]);
  });

  describe("under a request of a resident's week", () => {
    let owner: Person;
    let spot: Spot;
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      owner = await building.administrator();
      spot = await spotOf(owner);
      ids.pattern = (await patternOf(owner, threeDays(spot))).id;
      ids.exception = (await except(owner, "keep", spot, 80, 90)).exception.id;
      ids.wish = (await wishOf(owner, 400, 402)).id;
      await invite(owner, invited(newAddress()));
      const [invitation] = await building.rows<{ id: string }>(
        "select id from parking.invitations",
      );
      ids.invitation = invitation?.id ?? "";
      await owner.post("/calendar-feed", { language: "en" }, 201);
    });
    type Asked = [method: string, path: string, table: string, body: () => object | undefined];
    const nothing = () => undefined;
    const span = { start_time: hours(300), end_time: hours(301) };

    // Events are what most write last.
    it.each<Asked>([
      ["GET", "/patterns", "parking.patterns", nothing],
      ["GET", "/exceptions/:exception", "parking.claims", nothing],
      ["GET", "/wishes", "parking.wishes", nothing],
      ["GET", "/calendar.ics", "parking.claims", nothing],
      ["GET", "/admin/invitations", "parking.invitations", nothing],
      ["GET", "/admin/parked", "parking.claims", nothing],
      ["GET", "/sections", "parking.limits", nothing],
      ["GET", "/profile/export", "parking.wishes", nothing],
      [
        "POST",
        "/patterns",
        "private.events",
        () => ({ ...threeDays(spot), starts_at: "19:00", ends_at: "20:00" }),
      ],
      ["POST", "/patterns/preview", "parking.availabilities", () => threeDays(spot)],
      ["PUT", "/patterns/:pattern", "private.events", () => ({ ends_at: "17:00" })],
      ["DELETE", "/patterns/:pattern", "private.events", nothing],
      [
        "POST",
        "/exceptions",
        "private.events",
        () => ({ ...span, kind: "share", spot_id: spot.id }),
      ],
      ["DELETE", "/exceptions/:exception", "private.events", nothing],
      ["POST", "/wishes", "parking.wishes", () => span],
      ["DELETE", "/wishes/:wish", "parking.wishes", nothing],
      ["POST", "/calendar-feed", "parking.calendar_feeds", () => ({ language: "de" })],
      ["DELETE", "/calendar-feed", "parking.calendar_feeds", nothing],
      [
        "POST",
        "/admin/invitations",
        "parking.invitations",
        () => ({ invitations: [invited(newAddress())] }),
      ],
      ["DELETE", "/admin/invitations/:invitation", "parking.invitations", nothing],
      ["PUT", "/admin/sections/North", "parking.limits", () => ({ longest_claim_minutes: 60 })],
    ])("%s %s: 503, and nothing was written", async (method, template, table, body) => {
      const path = template.replace(/:([a-z]+)/g, (_, name: string) => ids[name] ?? "");
      const all = async () => [
        await everything(building),
        await building.rows("select * from parking.patterns order by id"),
        await building.rows("select * from parking.exceptions order by id"),
        await building.rows("select * from parking.wishes order by id"),
      ];
      const before = await all();
      await killWhileWaiting(() => [program.ask(owner, method, path, body())], table);
      expect(await all()).toEqual(before);
    });
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
