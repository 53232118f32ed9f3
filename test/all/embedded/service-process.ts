import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { it } from "@jest/globals";
import { projectFolder } from "../../../src/project-folder.ts";
import { defer } from "./clusters.ts";

export const nobody = { uid: 65534, gid: 65534 };
export const isRoot = process.getuid?.() === 0;
const nobodyRunsNode = isRoot && spawnSync(process.execPath, ["-v"], nobody).status === 0;
export const itAsRoot = isRoot ? it : it.skip;
export const itAsNobody = nobodyRunsNode ? it : it.skip;
export const itOnLinux = process.platform === "linux" ? it : it.skip;

/** A stand-in for `npm start`: another process, which lives as long as its cluster. */
const SERVICE = `
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  const settings = { fsync: "off" };
  const { url, stop } = await startEmbeddedPostgres({ dataDir: process.argv[2], settings });
  process.once("SIGTERM", stop);
  console.log(url("postgres", "postgres"));`;

type ServiceProcess = ChildProcessByStdio<null, Readable, Readable>;

interface Circumstances {
  readonly checkout?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: typeof nobody;
  readonly flags?: readonly string[];
}

export function launchService(dataDir: string, circumstances: Circumstances = {}): ServiceProcess {
  const { env, account, flags = [] } = circumstances;
  const launcher = join(circumstances.checkout ?? projectFolder, "src/embedded/cluster.ts");
  const program = [...flags, "--input-type=module", "--eval", SERVICE];
  const child = spawn(process.execPath, [...program, launcher, dataDir], {
    ...account,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  defer(() => end(child, "SIGKILL"));
  return child;
}

/** The superuser's URL, which a service prints once it is up. Rejects with its error messages. */
export async function urlOf(child: ServiceProcess): Promise<string> {
  const complaint = text(child.stderr);
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(await complaint);
}

export async function end(child: ServiceProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}
