/**
 * `node bench/buildings.ts [<how many, 1000 unless given>]`: how long it takes to list many
 * buildings of one cluster and to roll a migration out over them. They are copies of one building
 * that `npm run building -- create` makes.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createBuilding } from "../src/buildings/create.ts";
import { withClient } from "../src/database/client.ts";
import { makeRoles } from "../src/database/roles.ts";
import { withThrowAwayPostgres } from "../src/embedded/throw-away.ts";
import { committedMigrations } from "../src/migrations/history.ts";
import { projectFolder } from "../src/project-folder.ts";

const count = Number(process.argv[2] ?? "1000");
const newest = (await committedMigrations()).at(-1);

await withThrowAwayPostgres(async (postgres) => {
  const clusterUrl = postgres.url("postgres", "postgres");
  const names = Array.from({ length: count - 1 }, (_, at) => `building_${at}`);
  await timed("create the first", () =>
    createBuilding(clusterUrl, { name: "model", warn: () => {} }),
  );
  await timed(`copy it ${count - 1} times`, async () => {
    for (const name of names) await copyModel(name);
  });

  const folder = await nextVersion();
  const building = (...args: readonly string[]) =>
    timed(`building ${args.join(" ")}`, async () => {
      const env = { PATH: process.env.PATH, CLUSTER_DATABASE_URL: clusterUrl };
      const options = { cwd: folder, env, maxBuffer: 2 ** 24 };
      const command = ["src/commands/building.ts", ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, options);
      console.log(stdout.trimEnd().split("\n").at(-1));
    });
  await building("list");
  await building("migrate");
  await building("migrate");
  await rm(folder, { recursive: true });

  async function copyModel(name: string): Promise<void> {
    await withClient(clusterUrl, (server) =>
      server.query(`create database ${name} template model strategy file_copy`),
    );
    await withClient(postgres.url("postgres", name), async (client) => {
      await makeRoles(client, name, () => "unused");
      await client.query(`reassign owned by model_owner to ${name}_owner`);
    });
  }
});

async function timed(what: string, run: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await run();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** A copy of the project with one more migration, as the next version has. */
async function nextVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parking-next-"));
  for (const name of ["src", "sql", "migrations", "package.json", ".gmrc"]) {
    const options = { recursive: true, verbatimSymlinks: true };
    await cp(join(projectFolder, name), join(folder, name), options);
  }
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  const number = String(Number(newest?.number) + 1).padStart(6, "0");
  await writeFile(
    join(folder, `migrations/committed/${number}-spots-have-floors.sql`),
    `--! Previous: ${newest?.hash}
--! Hash: sha1:${"0".repeat(40)}
--! AllowInvalidHash

alter table parking.spots add column floor smallint;
`,
  );
  return folder;
}
