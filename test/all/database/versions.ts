import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "graphile-migrate";
import { pino } from "pino";
import { applyCurrent } from "../../../src/migrations/current.ts";
import { runMigrations, withMigrate } from "../../../src/migrations/run.ts";
import { projectFolder } from "../../../src/project-folder.ts";

const silent = pino({ level: "silent" });
const migrations = join(projectFolder, "migrations/committed");

/** Makes of an empty database one as it was after so many migrations. */
export async function databaseAfter(owner: string, number: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await mkdir(join(folder, "committed"));
  for (const file of (await readdir(migrations)).toSorted().slice(0, number))
    await copyFile(join(migrations, file), join(folder, "committed", file));
  await withMigrate(owner, silent, (settings) =>
    migrate({ ...settings, migrationsFolder: folder }),
  );
  await rm(folder, { recursive: true });
}

/** To what is here now, committed or not. */
export async function upgrade(owner: string): Promise<void> {
  await runMigrations(owner, silent);
  await applyCurrent(owner, silent);
}
