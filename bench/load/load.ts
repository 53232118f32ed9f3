import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Job, Outcome, Sample } from "./script.ts";

/** A process that sends requests. */
export interface Load {
  readonly pid: number;
  /** @throws Error where an answer was not the right one */
  run(job: Job): Promise<Sample>;
  close(): void;
}

export function startLoad(file = join(import.meta.dirname, "generator.ts")): Load {
  const child = fork(file);
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = once(child, "exit").then(() => [{ failure: `${file} ended` }]);
  return {
    pid: child.pid ?? 0,
    async run(job) {
      if (!child.connected) throw new Error(`${file} ended`);
      child.send(job);
      const [outcome]: Outcome[] = await Promise.race([once(child, "message"), ended]);
      if (outcome === undefined || "failure" in outcome) {
        throw new Error(outcome?.failure ?? "it said nothing");
      }
      return outcome;
    },
    close: () => child.kill(),
  };
}
