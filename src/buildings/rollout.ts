import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { type BuildingDatabase, ownerUrl } from "./building.ts";

/** The work for one process. */
export interface Task {
  readonly building: string;
  readonly ownerUrl: string;
}

/** The result of a task. */
export type MigrationResult =
  | { readonly kind: "migrated" | "up to date" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Migrates buildings to the newest committed migration, several at a time. While a migration runs,
 * it has a process to itself: graphile-migrate ends its process if a connection breaks at a bad
 * moment, and that must not end other migrations or the report.
 */
export async function rollOut(
  clusterUrl: string,
  buildings: readonly BuildingDatabase[],
  atOnce: number,
  report: (building: BuildingDatabase, result: MigrationResult) => void,
): Promise<void> {
  const rest = buildings.values();
  const migrateRest = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    const start = () =>
      fork(join(import.meta.dirname, "rollout-worker.ts")).once("exit", () => {
        worker = undefined;
      });
    try {
      for (const building of rest) {
        const { name, database, owner } = building;
        worker ??= start();
        const task = { building: name, ownerUrl: ownerUrl(clusterUrl, database, owner) };
        report(building, await migrateIn(worker, task));
      }
    } finally {
      worker?.disconnect(); // this ends it
    }
  };
  await Promise.all(Array.from({ length: atOnce }, migrateRest));
}

const migrateIn = (worker: ChildProcess, task: Task): Promise<MigrationResult> =>
  new Promise((resolve) => {
    const fail = (code: number | null, signal: NodeJS.Signals | null) => {
      const reason = `its process ended with ${signal ?? `exit code ${code}`}`;
      resolve({ kind: "failed", reason });
    };
    worker.once("exit", fail).once("message", (result: MigrationResult) => {
      worker.off("exit", fail);
      resolve(result);
    });
    worker.send(task);
  });
