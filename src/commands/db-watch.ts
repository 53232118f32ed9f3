/** `npm run db:watch`: runs migrations/current.sql on the embedded database at each change of sql/. */
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../config.ts";
import { runMigrations } from "../database/migrations.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log.ts";
import { projectFolder } from "../project-folder.ts";
import { applyCurrent } from "./current-migration.ts";
import { runCommand } from "./run-command.ts";

/** An editor writes a file in several steps. */
const SETTLE_MS = 100;

await runCommand("npm run db:watch", () =>
  withPostgres(readConfig(process.env), async (postgres) => {
    const ownerUrl = postgres.url("parking_owner", EMBEDDED_DATABASE);
    const logger = createLogger("warn");
    await runMigrations(ownerUrl, logger);
    console.log("Watching sql/ and migrations/current.sql. End with Ctrl+C.");
    for await (const _change of changes()) {
      const start = performance.now();
      try {
        await applyCurrent(ownerUrl, logger);
        const time = Math.round(performance.now() - start);
        console.log(`migrations/current.sql is applied (${time} ms)`);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        console.error(error.message);
      }
    }
  }),
);

/** Once at the start, and once after each change. Changes during a run of the loop count as one. */
async function* changes(): AsyncGenerator<void> {
  let { promise: changed, resolve: announce } = Promise.withResolvers<void>();
  const onChange = (_event: string, file: string | null): void => {
    if (file?.endsWith(".sql")) announce();
  };
  using _sql = closing(watch(join(projectFolder, "sql"), { recursive: true }, onChange));
  using _current = closing(watch(join(projectFolder, "migrations"), onChange));
  for (;;) {
    yield;
    await changed;
    await sleep(SETTLE_MS);
    ({ promise: changed, resolve: announce } = Promise.withResolvers<void>());
  }
}

function closing(watcher: { close(): void }): Disposable {
  return { [Symbol.dispose]: () => watcher.close() };
}
