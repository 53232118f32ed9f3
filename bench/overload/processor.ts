import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The service has one processor, or a share of it; its clients and the database have the other. */
const OF_THE_SERVICE = 0;
const OF_THE_OTHERS = 1;

/** For this process, its threads and all that it starts from now on. */
export function leaveToTheService(): void {
  execFileSync("taskset", ["-apc", String(OF_THE_OTHERS), String(process.pid)]);
}

/** How the service is started. */
export const onItsProcessor = ["taskset", "-c", String(OF_THE_SERVICE)];

const CGROUPS = "/sys/fs/cgroup";
const PERIOD_US = 100_000;

/**
 * Gives a process a share of one processor, by a control group of its own (version 1 or 2), as
 * systemd's CPUQuota and a container's limit do: in each tenth of a second it runs so long and then
 * stands still.
 *
 * @returns what removes the group once the process has ended
 */
export function limitProcessor(pid: number | undefined, share: number): () => void {
  const isFirstVersion = existsSync(join(CGROUPS, "cpu"));
  const group = join(CGROUPS, isFirstVersion ? "cpu" : "", `overload-${process.pid}`);
  const quota = Math.round(share * PERIOD_US);
  mkdirSync(group);
  if (isFirstVersion) writeFileSync(join(group, "cpu.cfs_quota_us"), String(quota));
  else writeFileSync(join(group, "cpu.max"), `${quota} ${PERIOD_US}`);
  writeFileSync(join(group, "cgroup.procs"), String(pid));
  return () => rmdirSync(group);
}
