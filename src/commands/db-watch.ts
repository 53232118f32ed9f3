/** `npm run db:watch`: runs migrations/current.sql on the embedded database at each change of sql/. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../config/config.ts";
import { EMBEDDED_DATABASE, withPostgres } from "../embedded/database.ts";
import { isForOperator, printable } from "../errors/operator-error.ts";
import { createLogger } from "../log/logger.ts";
import { applyCurrent, includeChangedFiles } from "../migrations/current.ts";
import { runMigrations } from "../migrations/run.ts";
import { projectFolder } from "../project-folder.ts";
import { runCommand } from "./run-command.ts";

const LOOK_EVERY_MS = 100;

await runCommand("npm run db:watch", () =>
  withPostgres(readConfig(process.env), async (postgres) => {
    const ownerUrl = postgres.url("parking_owner", EMBEDDED_DATABASE);
    const logger = createLogger("warn");
    await runMigrations(ownerUrl, logger);
    console.log("Watching sql/ and migrations/current.sql. End with Ctrl+C.");
    for await (const _change of changes()) {
      const start = performance.now();
      try {
        if (await includeChangedFiles()) continue; // the next change is this one
        await applyCurrent(ownerUrl, logger);
        const time = Math.round(performance.now() - start);
        console.log(`migrations/current.sql is applied (${time} ms)`);
      } catch (error) {
        if (!isForOperator(error)) throw error;
        console.error(printable(error));
      }
    }
  }),
);

/**
 * Yields once at the start and once after each change. It polls, because Node's own watch follows
 * each file on Linux and loses a file that an editor replaces. An editor writes in several steps,
 * so a change counts only when nothing has changed since the last poll.
 */
async function* changes(): AsyncGenerator<void> {
  for (let known = "", last = ""; ; await sleep(LOOK_EVERY_MS)) {
    const seen = await writtenAt();
    if (seen === last && seen !== known) {
      known = seen;
      yield;
    }
    last = seen;
  }
}

/** The time when each file was written. A file that disappears is noticed at the next poll. */
async function writtenAt(): Promise<string> {
  const files = (await readdir(join(projectFolder, "sql"), { recursive: true }))
    .filter((name) => name.endsWith(".sql"))
    .map((name) => join("sql", name));
  const looks = [...files, "migrations/current.sql"].map(async (file) => {
    const found = await stat(join(projectFolder, file)).catch(() => undefined);
    return `${file} ${found?.mtimeMs}`;
  });
  return (await Promise.all(looks)).join("\n");
}
