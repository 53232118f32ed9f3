/** Folders and clusters for the tests of a file. After each test they are stopped and removed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { stopped } from "./server.ts";

let started = new AsyncDisposableStack();

/** A test file that uses what is below says so with this, before its tests. */
export function useClusters(): void {
  afterEach(async () => {
    const ended = started.move();
    started = new AsyncDisposableStack();
    await ended.disposeAsync();
  });
}

/** Has something done after the test, the latest first. */
export const defer = (clean: () => Promise<void> | void): void => started.defer(clean);

/** Only we may enter it: not the account that PostgreSQL runs as when we are root. */
export async function privateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-test-"));
  defer(async () => {
    await stopped(join(folder, ".data"));
    await rm(folder, { recursive: true });
  });
  return folder;
}

/** A folder without a cluster. */
export async function newFolder(): Promise<string> {
  return join(await privateFolder(), ".data");
}

export async function start(dataDir: string, settings = {}): Promise<EmbeddedPostgres> {
  const cluster = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off", ...settings } });
  defer(() => cluster.stop());
  return cluster;
}
