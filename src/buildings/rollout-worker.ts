/** The process in which `npm run building -- migrate` migrates one building after another. */

import { reasonOf } from "../errors/reason.ts";
import { createLogger } from "../log/logger.ts";
import { migrationsOf } from "../migrations/history.ts";
import { runMigrations } from "../migrations/run.ts";
import { storePageFiles } from "../pages/other-versions.ts";
import type { MigrationResult, Task } from "./rollout.ts";

const logger = createLogger("warn");

process.on("message", async (task: Task) => process.send?.(await migrate(task)));

async function migrate({ building, ownerUrl }: Task): Promise<MigrationResult> {
  try {
    const before = await migrationsOf(ownerUrl);
    await runMigrations(ownerUrl, logger.child({ building }));
    await storePageFiles(ownerUrl, logger);
    const after = await migrationsOf(ownerUrl);
    return { kind: after.size > before.size ? "migrated" : "up to date" };
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) };
  }
}
