/** A folder with a cluster that was started and stopped before: one for all tests of a file, to save initdb. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "@jest/globals";
import { startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { defer, useClusters } from "./clusters.ts";
import { query, stopped, superuser } from "./server.ts";

let used: string;

/** Makes it before the tests of the file, and stops after each of them what uses it. */
export function useUsedFolder(): void {
  useClusters();
  beforeAll(async () => {
    used = join(await mkdtemp(join(tmpdir(), "embedded-test-")), ".data");
    const cluster = await startEmbeddedPostgres({ dataDir: used });
    await query(superuser(cluster), "create table kept as select 42 as answer");
    await cluster.stop();
  });
  afterAll(() => rm(dirname(used), { recursive: true }));
}

export function usedFolder(): string {
  defer(() => stopped(used));
  return used;
}

export const answerIn = (url: string): Promise<unknown[][]> =>
  query(url, "select answer from kept");
