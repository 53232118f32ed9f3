import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { createDatabase } from "../../../src/embedded/database.ts";
import { startThrowAwayPostgres } from "../../../src/embedded/throw-away.ts";
import { createLogger } from "../../../src/log/logger.ts";
import { runMigrations } from "../../../src/migrations/run.ts";
import { type Checkout, makeCheckout } from "./checkout.ts";

let checkout: Checkout;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  checkout = await makeCheckout();
  postgres = await startThrowAwayPostgres();
  await deploy("elm_street");
});
afterAll(async () => {
  await postgres.stop();
  await checkout.remove();
});

/** Makes the database of a building as an operator does. */
const deploy = async (building: string): Promise<void> => {
  await createDatabase(postgres, building, building);
  await runMigrations(postgres.url(`${building}_owner`, building), createLogger("silent"));
};
const check = (role: string, database = "elm_street") =>
  checkout.run("commands/check-drift", ["--database"], {
    OWNER_DATABASE_URL: postgres.url(role, database),
  });
const asOwner = (sql: string) =>
  withClient(postgres.url("elm_street_owner", "elm_street"), (client) => client.query(sql));

describe("npm run check:drift -- --database", () => {
  it("finds no difference in a database as it was deployed, beside another building's", async () => {
    await deploy("oak_street");
    expect(await check("elm_street_owner")).toEqual({
      code: 0,
      output: "The database is what migrations/committed and sql/roles.sql make.\n",
    });
  });

  it("shows what was changed there by hand", async () => {
    await asOwner(
      "drop index parking.claims_claimer_id_start_time_idx; create table parking.mine ()",
    );
    const { code, output } = await check("elm_street_owner");
    expect(code).toBe(1);
    expect(output.split("\n")).toEqual([
      "The database is not what is committed (-: only committed, +: only in the database):",
      expect.stringMatching(/^- {3}CREATE INDEX claims_claimer_id_start_time_idx/),
      "+ create table parking.mine",
      "",
    ]);
  });

  it("refuses to compare for a role that is nobody's owner", async () => {
    const { code, output } = await check("postgres");
    expect([code, output]).toEqual([
      1,
      "OWNER_DATABASE_URL: logs in as postgres, not as parking_owner or <building>_owner\n",
    ]);
  });

  it("writes nothing: it also works where the owner may only read", async () => {
    const [role, url] = ["elm_street_owner", postgres.url("postgres", "elm_street")];
    await withClient(url, (client) =>
      client.query(`alter role ${role} set default_transaction_read_only = on`),
    );
    const { output } = await check(role);
    expect(output).toContain(`+ alter role ${role} set default_transaction_read_only=on`);
  });
});
