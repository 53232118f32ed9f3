import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Job, Outcome, Sample } from "./script.ts";

export interface Load {
  /** @throws Error where an answer was not the right one */
  run(job: Job): Promise<Sample>;
  close(): void;
}

export function startLoad(): Load {
  const child = fork(join(import.meta.dirname, "generator.ts"));
  process.once("exit", () => child.kill("SIGKILL"));
  return {
    async run(job) {
      child.send(job);
      const [outcome]: Outcome[] = await once(child, "message");
      if (outcome === undefined || "failure" in outcome) {
        throw new Error(outcome?.failure ?? "the load generator said nothing");
      }
      return outcome;
    },
    close: () => child.kill(),
  };
}
