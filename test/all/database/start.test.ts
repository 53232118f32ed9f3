import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../../src/contract/routes.ts";
import { createPool } from "../../../src/database/pool.ts";
import { waitForDatabase } from "../../../src/database/wait-for-database.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { checkServedDatabase } from "../../../src/rest/check.ts";
import { type Arena, openArena } from "../../support/arena.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { served } from "../../support/served.ts";
import { until } from "../../support/waiting.ts";

const silent = createLogger("silent");

let building: Arena;
let relay: Relay;
beforeAll(async () => {
  building = await openArena(1);
  relay = await startRelay(Number(new URL(building.database.url("parking_api")).port));
});
afterAll(async () => {
  await relay.close();
  await building.close();
});

describe("the start of the service", () => {
  it.each([
    ["refuses connections", () => relay.refuse()],
    ["is starting up", async () => relay.answer("57P03")],
  ])("waits for a database that %s, and says so", async (_what, fail) => {
    await fail();
    const log: string[] = [];
    const settings = {
      DATABASE_URL: relay.url(building.database.url("parking_api")),
      LOG_LEVEL: "info",
    };
    const starting: Promise<Program> = startProgram(building, settings, log);
    await until("a line in the log", () =>
      log.some((line) => line.includes("the database does not answer yet")),
    );
    await relay.mend();
    const program = await starting;
    expect((await served(() => fetch(`${program.origin}/readyz`))).status).toBe(200);
    await program.stop();
  });

  it("gives up after a while", async () => {
    await relay.refuse();
    const url = relay.url(building.database.url("parking_api"));
    const pool = createPool(url, silent);
    await expect(waitForDatabase(pool, silent, 0)).rejects.toThrow(
      `connect ECONNREFUSED ${new URL(url).host}`,
    );
    await relay.mend();
    await pool.end();
  });
});

/** PostgreSQL as it is built here has one language; this answers in German as another would. */
const speakGerman = `
  create schema german;
  grant usage on schema german to parking_api;
  create function german.pg_input_error_info(text, text, out message text)
    language sql return 'ungültige Eingabesyntax für Typ integer: »x«'`;

describe("checkServedDatabase", () => {
  const check = async (role: "parking_api" | "parking_owner" | "postgres" = "parking_api") => {
    const patience = { connectionTimeoutMillis: 10_000 };
    const pool = createPool(building.database.url(role), silent, patience);
    return checkServedDatabase(pool, routes).finally(() => pool.end());
  };
  const alterRole = (change: string) =>
    building.superuser.query(
      `alter role parking_api in database ${building.database.name} ${change}`,
    );

  it("accepts the database as it is made", async () => {
    await check();
  });

  it.each(["parking_owner", "postgres"] as const)(
    "refuses to log in as %s, who sees every row",
    async (role) => {
      await expect(check(role)).rejects.toThrow(
        `DATABASE_URL: ${role} is not bound by row-level security; log in as parking_api`,
      );
    },
  );

  it("refuses a database that writes times in another style", async () => {
    await alterRole("set datestyle = 'German'");
    await expect(check()).rejects.toThrow(/the style ISO, .* set DateStyle to ISO for parking_api/);
    await alterRole("reset datestyle");
  });

  it.each([
    ["an operation", "drop function api.get_spot", "api.get_spot(id)"],
    [
      "an argument",
      "alter function api.get_claim rename to kept; create function api.get_claim(claim_id uuid) returns parking.claims language plpgsql as 'begin return null; end'",
      "api.get_claim(id)",
    ],
    [
      "a column of an answer",
      "drop function api.get_user; create function api.get_user(out id uuid, out email text, out created_at timestamptz, out updated_at timestamptz) language plpgsql as 'begin end'",
      "the column email_confirmed_at of api.get_user",
    ],
  ])("refuses a database that lacks %s", async (_what, change, missing) => {
    await building.rows(change);
    await building.rows("grant execute on all functions in schema api to parking_api");
    const refusal = await check().catch(({ message }: Error) => message);
    expect(refusal).toContain(missing);
    // An old service cannot know which: on a newer database npm run migrate would do nothing.
    expect(refusal).toMatch(
      /^The database lacks .*: it is older than this service, or newer\. npm run migrate mends an older one, and warns of a newer one: docs\/upgrades\.md has the way back$/,
    );
  });

  it("refuses a database whose messages are not in English", async () => {
    await building.rows(speakGerman);
    await building.rows("grant execute on all functions in schema german to parking_api");
    await alterRole("set search_path = german, pg_catalog");
    await expect(check()).rejects.toThrow(
      /messages in English, .* set lc_messages to C \(it is C\)/,
    );
  });
});
