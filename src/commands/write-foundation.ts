/**
 * `npm run db:foundation`: writes the first migration anew from sql/all.sql. Allowed until
 * CHANGELOG.md names 1.0.0, since nothing is deployed before; afterwards a migration is never edited.
 */
import { glob, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commit } from "graphile-migrate";
import { connectionsOfMigrate, migrateSettings } from "../database/migrations.ts";
import { createDatabase } from "../embedded/database.ts";
import { withThrowAwayPostgres } from "../embedded/throw-away.ts";
import { createLogger } from "../log.ts";
import { projectFolder } from "../project-folder.ts";

const current = join(projectFolder, "migrations/current.sql");
const changelog = await readFile(join(projectFolder, "CHANGELOG.md"), "utf8").catch(() => "");
if (/^## \[?1\.0\.0/m.test(changelog)) {
  throw new Error("CHANGELOG.md names 1.0.0: committed migrations never change any more");
}

const before = await readFile(current, "utf8");
for await (const file of glob("migrations/committed/*.sql", { cwd: projectFolder })) {
  await rm(join(projectFolder, file));
}
await writeFile(current, "--!include all.sql\n");
try {
  await withThrowAwayPostgres(async (postgres) => {
    await createDatabase(postgres, "foundation");
    await createDatabase(postgres, "foundation_shadow");
    await commit(
      {
        ...migrateSettings(postgres.url("parking_owner", "foundation"), createLogger("warn")),
        rootConnectionString: postgres.url("postgres", "postgres"),
        shadowConnectionString: postgres.url("parking_owner", "foundation_shadow"),
      },
      "foundation",
    );
    await connectionsOfMigrate();
  });
} finally {
  await writeFile(current, before);
}
