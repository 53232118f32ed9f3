import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { copyCluster } from "../../../src/backups/copy-cluster.ts";
import { withClient } from "../../../src/database/client.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { until } from "../../support/waiting.ts";

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "point-in-time-"));
  await chmod(folder, 0o755);
  archive = join(folder, "archive");
  await mkdir(archive);
  await chmod(archive, 0o777); // PostgreSQL runs as another account where we are root
});
afterAll(() => rm(folder, { recursive: true }));

const rowsIn = (postgres: EmbeddedPostgres, sql: string): Promise<Record<string, string>[]> =>
  withClient(
    postgres.url("postgres", "postgres"),
    async (client) => (await client.query(sql)).rows,
  );

/** As docs/backups.md says, with a copy instead of pg_basebackup. */
it("an archive of the WAL leads from a base backup to any later moment, and not beyond", async () => {
  const dataDir = join(folder, "data");
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: {
      archive_mode: "on",
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  });
  await rowsIn(postgres, "create table kept as select 'before the backup' as text");
  const base = join(folder, "base");
  await mkdir(join(base, "cluster"), { recursive: true });
  await copyFile(join(dataDir, "cluster/password"), join(base, "cluster/password"));
  await copyCluster(
    postgres.url("postgres", "postgres"),
    join(dataDir, "cluster/data"),
    join(base, "cluster/data"),
  );

  await rowsIn(postgres, "insert into kept values ('after the backup')");
  const [moment] = await rowsIn(postgres, "select clock_timestamp()::text as text");
  await rowsIn(postgres, "delete from kept");
  const [last] = await rowsIn(postgres, "select pg_walfile_name(pg_switch_wal()) as file");
  await until("the last file in the archive", async () =>
    (await readdir(archive)).includes(last?.file ?? ""),
  );
  await postgres.stop();

  await writeFile(join(base, "cluster/data/recovery.signal"), "");
  const restored = await startEmbeddedPostgres({
    dataDir: base,
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment?.text ?? "",
      recovery_target_action: "promote",
    },
  });
  try {
    await until("the end of the recovery", async () => {
      const [state] = await rowsIn(restored, "select pg_is_in_recovery()::text as recovers");
      return state?.recovers === "false";
    });
    expect(await rowsIn(restored, "table kept")).toEqual([
      { text: "before the backup" },
      { text: "after the backup" },
    ]);
  } finally {
    await restored.stop();
  }
});
