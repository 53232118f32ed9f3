/** What a test may ask a PostgreSQL server, and how it waits for it. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import type { EmbeddedPostgres } from "../../../src/embedded/cluster.ts";
import { until } from "../../support/waiting.ts";

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
  await until("nobody to answer", async () => !(await accepts(url)));
}

/** Resolves when the server has written everything. */
export async function stopped(dataDir: string): Promise<void> {
  await until("the end of the server", () => !existsSync(postmasterFile(dataDir)));
}

export const postmasterFile = (dataDir: string): string =>
  join(dataDir, "cluster/data/postmaster.pid");

export const postmasterOf = async (dataDir: string): Promise<number> =>
  Number.parseInt(await readFile(postmasterFile(dataDir), "utf8"), 10);
