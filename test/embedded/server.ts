/** What a test may ask a PostgreSQL server, and how it waits for it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { EmbeddedPostgres } from "../../src/embedded/cluster.ts";

export async function query(url: string, statement: string): Promise<unknown[][]> {
  const client = new Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query({ text: statement, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

export const superuser = ({ url }: EmbeddedPostgres): string => url("postgres", "postgres");

export const accepts = (url: string): Promise<boolean> =>
  query(url, "select 1").then(
    () => true,
    () => false,
  );

/** Resolves when nothing answers any more, as soon after a kill. */
export async function refused(url: string): Promise<void> {
  await until(async () => !(await accepts(url)));
}

/** Resolves when the server has written everything. */
export async function stopped(dataDir: string): Promise<void> {
  await until(() => !existsSync(postmasterFile(dataDir)));
}

export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It never came true that ${condition}`);
    await sleep(10);
  }
}

export const postmasterFile = (dataDir: string): string =>
  join(dataDir, "cluster/data/postmaster.pid");

export const postmasterOf = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(postmasterFile(dataDir), "utf8"), 10);
