/**
 * `npm run db:foundation`: writes the first migration anew from sql/all.sql. Allowed until
 * CHANGELOG.md names 1.0.0, because nothing is deployed before; afterwards a migration is never edited.
 */
import { glob, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createDatabase } from "../embedded/database.ts";
import { withThrowAwayPostgres } from "../embedded/throw-away.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log.ts";
import { projectFolder } from "../project-folder.ts";
import { commitCurrent, readCurrent, writeCurrent } from "./current-migration.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run db:foundation", async () => {
  const changelog = await readFile(join(projectFolder, "CHANGELOG.md"), "utf8").catch(() => "");
  if (/^## \[?1\.0\.0/m.test(changelog)) {
    throw new OperatorError("CHANGELOG.md names 1.0.0: committed migrations never change any more");
  }
  const before = await readCurrent();
  for await (const file of glob("migrations/committed/*.sql", { cwd: projectFolder })) {
    await rm(join(projectFolder, file));
  }
  await writeCurrent("--!include all.sql\n");
  try {
    await withThrowAwayPostgres(async (postgres) => {
      await createDatabase(postgres, "foundation");
      await commitCurrent(postgres, "foundation", "foundation", createLogger("warn"));
    });
  } finally {
    await writeCurrent(before);
  }
});
