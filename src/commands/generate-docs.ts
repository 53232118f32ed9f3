/** `npm run docs`: writes the generated pages of docs/. */
import { createDatabase } from "../embedded/database.ts";
import { withThrowAwayPostgres } from "../embedded/throw-away.ts";
import { createLogger } from "../log/logger.ts";
import { runMigrations } from "../migrations/run.ts";
import { writeDocs } from "./docs/pages.ts";
import { runCommand } from "./run-command.ts";

await runCommand("npm run docs", () =>
  withThrowAwayPostgres(async (postgres) => {
    await createDatabase(postgres, "documented");
    await runMigrations(postgres.url("parking_owner", "documented"), createLogger("warn"));
    await writeDocs(postgres, "documented");
  }),
);
