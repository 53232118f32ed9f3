import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createBuilding } from "../../../src/buildings/create.ts";
import { withClient } from "../../../src/database/client.ts";
import { fillDemoBuilding } from "../../../src/development/demo-building.ts";
import { checkDeployedDatabase } from "../../../src/migrations/deployed-database.ts";
import { startService } from "../../support/service.ts";
import { type BuildingCluster, startCluster } from "../commands/building-cluster.ts";

/** Debian 12 has 15, which refuses a server of 18. */
const { stdout } = spawnSync("pg_dump", ["--version"], { encoding: "utf8" });
const version = Number(/ (\d+)/.exec(stdout ?? "")?.[1]);
const describeWithPgDump = version >= 18 ? describe : describe.skip;

/** Runs a line of the shell. */
const run = (line: string, ...args: readonly string[]) =>
  promisify(execFile)("sh", ["-c", line, "sh", ...args]);

/** As docs/backups.md says. */
describeWithPgDump("a dump of a building, by its owner", () => {
  const name = "elm_street";
  const silent = { name, warn: () => {} };
  let cluster: BuildingCluster;
  let folder: string;
  beforeAll(async () => {
    cluster = await startCluster();
    folder = await mkdtemp(join(tmpdir(), "dump-test-"));
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const everything = (): Promise<unknown> =>
    cluster.asSuperuser(
      name,
      `select query_to_xml('select * from ' || c.oid::regclass || ' t order by t::text', true, false, '')::text
         from pg_class c
        where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('parking', 'private', 'identity')
        order by c.relname`,
    );

  it("is restored into an empty building, and serves", async () => {
    const { owner } = await createBuilding(cluster.clusterUrl, silent);
    // Which makes its people as the owner of a building that is alone.
    await cluster.asSuperuser("postgres", "create role parking_owner in role elm_street_owner");
    await fillDemoBuilding(cluster.superuserUrl(name));
    await cluster.asSuperuser("postgres", "drop role parking_owner");
    const before = await everything();
    const dump = join(folder, "elm_street.dump");
    await run('pg_dump -Fc -d "$1" >"$2"', owner, dump);
    for (const sql of [
      `drop database ${name} with (force)`,
      `drop role ${name}_owner, ${name}_api, ${name}_reporter, ${name}_analyst`,
    ]) {
      await cluster.asSuperuser("postgres", sql);
    }

    const restored = await createBuilding(cluster.clusterUrl, { ...silent, isEmpty: true });
    const restore = 'pg_restore --exit-on-error --exclude-schema pg_catalog -d "$1" <"$2"';
    await run(restore, restored.owner, dump);
    expect(await everything()).toEqual(before);
    await checkDeployedDatabase(restored.owner);
    const drifts = await withClient(restored.owner, (client) =>
      client.query("table private.count_drifts"),
    );
    expect(drifts.rows).toEqual([]);
    await (await startService(restored.api)).close();

    // A reader of events goes on where it was, although another cluster counts its transactions otherwise.
    const order = (url: string) =>
      withClient(url, async (client) => {
        const sql = "select private.order_events() as position";
        return (await client.query<{ position: string }>(sql)).rows[0]?.position;
      });
    const position = Number(await order(restored.api));
    expect(position).toBeGreaterThan(0);
    await cluster.asSuperuser(
      name,
      "insert into private.new_events (type, subject_id, data) values ('spot.updated', uuidv7(), '{}')",
    );
    expect(Number(await order(restored.api))).toBe(position + 1);
  });
});
