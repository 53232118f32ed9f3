/** `npm run db:watch`: runs migrations/current.sql on the embedded database at each change of sql/. */
import { readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../config/config.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { OperatorError } from "../errors/operator-error.ts";
import { createLogger } from "../log/logger.ts";
import { applyCurrent, includeChangedFiles } from "../migrations/current.ts";
import { runMigrations } from "../migrations/run.ts";
import { projectFolder } from "../project-folder.ts";
import { runCommand } from "./run-command.ts";

/** An editor writes a file in several steps. */
const SETTLE_MS = 100;

/** Not the other files that an editor writes while it saves one. */
const SQL_FILE_OR_FOLDER = /^[^.]+(\.sql)?$/;

await runCommand("npm run db:watch", () =>
  withPostgres(readConfig(process.env), async (postgres) => {
    const ownerUrl = postgres.url("parking_owner", EMBEDDED_DATABASE);
    const logger = createLogger("warn");
    await runMigrations(ownerUrl, logger);
    console.log("Watching sql/ and migrations/current.sql. End with Ctrl+C.");
    for await (const _change of changes()) {
      const start = performance.now();
      try {
        if (await includeChangedFiles()) continue; // which is a change that comes next
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

/**
 * Once at the start, and once after each change. Changes during a run of the loop count as one.
 *
 * It watches the folders one by one: Node's own recursive watch follows each file on Linux, and
 * loses a file that an editor replaces instead of writing into it. Each time anew, because a change
 * can be a new folder.
 */
async function* changes(): AsyncGenerator<void> {
  for (;;) {
    const { promise: changed, resolve: announce } = Promise.withResolvers<void>();
    using _watchers = watchFolders(announce);
    yield;
    await changed;
    await sleep(SETTLE_MS);
  }
}

function watchFolders(announce: () => void): Disposable {
  const sql = join(projectFolder, "sql");
  const entries = readdirSync(sql, { recursive: true, withFileTypes: true });
  const inSql = entries.filter((it) => it.isDirectory()).map((it) => join(it.parentPath, it.name));
  using watchers = new DisposableStack();
  for (const folder of [join(projectFolder, "migrations"), sql, ...inSql]) {
    const watcher = watch(folder, (_event, file) => {
      if (file === null || SQL_FILE_OR_FOLDER.test(file)) announce();
    });
    watchers.defer(() => watcher.close());
  }
  return watchers.move();
}
