import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Building } from "./find.ts";
import { inParallel } from "./in-parallel.ts";
import { ownerUrl } from "./urls.ts";

/** What a process is asked to do. */
export interface Task {
  readonly building: string;
  readonly ownerUrl: string;
}

/** What came of it. */
export type Outcome =
  | { readonly kind: "migrated" | "up to date" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Brings buildings to the newest committed migration, several at a time, each in a process that it
 * shares with no other at that time: graphile-migrate ends its process when a connection breaks at a
 * wrong moment, and this ends neither the other migrations nor the report.
 */
export async function rollOut(
  clusterUrl: string,
  buildings: readonly Building[],
  atOnce: number,
  report: (building: Building, outcome: Outcome) => void,
): Promise<void> {
  const idle = new Set<ChildProcess>();
  const start = (): ChildProcess => {
    const worker = fork(join(import.meta.dirname, "rollout-worker.ts"));
    return worker.once("exit", () => idle.delete(worker));
  };
  try {
    await inParallel(buildings, atOnce, async (building) => {
      const { name, database, owner } = building;
      const [worker = start()] = idle;
      idle.delete(worker);
      const task = { building: name, ownerUrl: ownerUrl(clusterUrl, database, owner) };
      const outcome = await migrateIn(worker, task);
      if (worker.connected) idle.add(worker);
      report(building, outcome);
    });
  } finally {
    for (const worker of idle) worker.disconnect(); // which ends it
  }
}

async function migrateIn(worker: ChildProcess, task: Task): Promise<Outcome> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(worker, "exit", { signal }).then(
    ([code, exitSignal]): Outcome => ({
      kind: "failed",
      reason: `its process ended with ${exitSignal ?? `exit code ${code}`}`,
    }),
  );
  const answer = once(worker, "message", { signal }).then(([outcome]): Outcome => outcome);
  worker.send(task);
  try {
    return await Promise.race([answer, ended]);
  } finally {
    answered.abort();
    await Promise.allSettled([answer, ended]);
  }
}
