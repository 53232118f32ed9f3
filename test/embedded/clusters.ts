/** Folders and clusters for the tests of a file. After each test they are stopped and removed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/embedded/cluster.ts";
import { query, stopped, superuser } from "./server.ts";

let begun = new AsyncDisposableStack();
afterEach(async () => {
  const ended = begun.move();
  begun = new AsyncDisposableStack();
  await ended.disposeAsync();
});

/** Has something done after the test, the latest first. */
export const defer = (clean: () => Promise<void> | void): void => begun.defer(clean);

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

/** A folder with a cluster that was started and stopped before: one for all tests, to save initdb. */
export function usedFolder(): string {
  defer(() => stopped(used));
  return used;
}

let used: string;
beforeAll(async () => {
  used = join(await mkdtemp(join(tmpdir(), "embedded-test-")), ".data");
  const cluster = await startEmbeddedPostgres({ dataDir: used });
  await query(superuser(cluster), "create table kept as select 42 as answer");
  await cluster.stop();
});
afterAll(() => rm(dirname(used), { recursive: true }));

export const answerIn = (url: string): Promise<unknown[][]> =>
  query(url, "select answer from kept");

export async function start(dataDir: string, settings = {}): Promise<EmbeddedPostgres> {
  const cluster = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off", ...settings } });
  defer(() => cluster.stop());
  return cluster;
}
