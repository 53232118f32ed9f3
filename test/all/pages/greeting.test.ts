import { expect, it } from "@jest/globals";
import { Pool } from "pg";
import { greetingOf } from "../../../src/pages/greeting.ts";
import { openBuilding } from "../../support/building.ts";
import { untilGreeting } from "../../support/greeting.ts";
import { startProgram } from "../../support/program.ts";
import { startRelay } from "../../support/relay.ts";

it("the greeting of a building is not known while no database has answered", async () => {
  const pool = new Pool({ host: "127.0.0.1", port: 1, connectionTimeoutMillis: 1_000 });
  const greeting = greetingOf(pool);

  expect(await greeting()).toBeUndefined();
  await pool.end();
});

it("a page without a greeting is shown, and is not kept by browsers as a version of its own", async () => {
  await using opened = new AsyncDisposableStack();
  const building = opened.adopt(await openBuilding(), (it) => it.close());
  const database = building.database.url("parking_api");
  const relay = opened.adopt(await startRelay(Number(new URL(database).port)), (it) => it.close());
  const settings = { DATABASE_URL: relay.url(database), WEB_CLIENT_ID: "page" };
  const { origin } = opened.adopt(await startProgram(building, settings), (it) => it.stop());
  const statusOf = async (path: string) => (await fetch(origin + path)).status;

  await relay.refuse();
  expect(await statusOf("/")).toBe(200);
  expect(await statusOf("/service-worker.js")).toBe(503);

  await relay.mend();
  await untilGreeting(origin);
});
