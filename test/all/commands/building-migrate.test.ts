import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { committedMigrations } from "../../../src/migrations/history.ts";
import { effort } from "../../support/effort.ts";
import { until } from "../../support/waiting.ts";
import { type BuildingCluster, startCluster } from "./building-cluster.ts";
import { type Checkout, makeCheckout } from "./checkout.ts";
import type { Outcome } from "./run.ts";

// Each rollout starts several processes, on a machine that may be busy with other tests.
const names = ["ash_street", "elm_street", "oak_street"];

let cluster: BuildingCluster;
/** The next version, which has one more migration. */
let next: Checkout;
beforeAll(async () => {
  [cluster, next] = await Promise.all([startCluster(), makeCheckout()]);
  const newest = (await committedMigrations()).at(-1);
  number = String(Number(newest?.number) + 1).padStart(6, "0");
  await next.write(
    `migrations/committed/${number}-spots-have-floors.sql`,
    `--! Previous: ${newest?.hash}
--! Hash: sha1:${"0".repeat(40)}
--! AllowInvalidHash

alter table parking.spots add column floor smallint;
`,
  );
  const created = await Promise.all(names.map((name) => cluster.run(["create", name]).ended));
  expect(created.map(({ code }) => code)).toEqual([0, 0, 0]);
});
afterAll(async () => {
  await cluster.stop();
  await next.remove();
});
let number: string;

const migrate = (...args: readonly string[]): Promise<Outcome> =>
  cluster.run(["migrate", ...args], next.folder).ended;
const linesOf = ({ stdout }: Outcome): readonly string[] => stdout.trimEnd().split("\n");

/** As before the rollout. */
async function takeBack(): Promise<void> {
  for (const name of names) {
    await cluster.asSuperuser(
      name,
      `alter table parking.spots drop column if exists floor;
       delete from graphile_migrate.migrations where filename ~ '^${number}'`,
    );
  }
}

const versions = async (): Promise<readonly (string | undefined)[]> => {
  const { stdout } = await cluster.run(["list"]).ended;
  return stdout
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(/ +/)[2]);
};

describe("npm run building -- migrate", () => {
  it("migrates the building that is named, as a trial", async () => {
    expect(await migrate("elm_street")).toEqual({
      code: 0,
      stdout: "elm_street: migrated\n1 building: 1 migrated, 0 up to date, 0 failed\n",
      stderr: "",
    });
  });

  it("names a building that does not exist", async () => {
    expect(await migrate("elm_stret")).toMatchObject({
      code: 1,
      stderr: "There is no building elm_stret\n",
    });
  });

  it("goes on where one fails, says why, and ends with an error", async () => {
    await cluster.asSuperuser("ash_street", "alter table parking.spots add column floor text");
    const outcome = await migrate();
    expect(outcome.code).toBe(1);
    expect(linesOf(outcome).toSorted()).toEqual([
      "3 buildings: 1 migrated, 1 up to date, 1 failed",
      `ash_street: failed: migrations/committed/${number}-spots-have-floors.sql failed: column "floor" of relation "spots" already exists`,
      "oak_street: migrated",
    ]);
  });

  it("continues when it is run again", async () => {
    await cluster.asSuperuser("ash_street", "alter table parking.spots drop column floor");
    expect(await migrate()).toMatchObject({
      code: 0,
      stdout: "ash_street: migrated\n3 buildings: 1 migrated, 2 up to date, 0 failed\n",
    });
    expect(await versions()).toEqual([number, number, number]);
    const files = "select count(*) > 20 as are_kept from private.page_files";
    expect(await cluster.asSuperuser("ash_street", files)).toEqual([{ are_kept: true }]);
  });

  it("goes on where a connection of one breaks", async () => {
    await takeBack();
    await withClient(cluster.superuserUrl("ash_street"), async (holder) => {
      await holder.query("begin");
      await holder.query("lock parking.spots in access share mode");
      const { ended } = cluster.run(["migrate", "--at-once", "1"], next.folder);
      const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
                          where datname = 'ash_street' and wait_event_type = 'Lock'`;
      await until("a migration that waits", async () => {
        return (await cluster.asSuperuser("postgres", terminate)).length > 0;
      });
      const outcome = await ended;
      expect(outcome.code).toBe(1);
      expect(linesOf(outcome)).toEqual([
        expect.stringMatching(/^ash_street: failed: /),
        "elm_street: migrated",
        "oak_street: migrated",
        "3 buildings: 2 migrated, 0 up to date, 1 failed",
      ]);
    });
  });

  it("may be run by several people at once", async () => {
    for (let round = 0; round < effort(1, 10); round++) {
      await takeBack();
      const several = Array.from({ length: 3 }, () => migrate("--at-once", "1"));
      const outcomes = await Promise.all(several);
      expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(await versions()).toEqual([number, number, number]);
    }
  });
});
