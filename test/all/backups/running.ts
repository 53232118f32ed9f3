/** A service that somebody uses, as far as its database sees it. */
import { setTimeout as pause } from "node:timers/promises";
import { withClient } from "../../../src/database/client.ts";
import { until } from "../../support/waiting.ts";

/** Adds the same number to two tables, a transaction each, for the time that `use` takes. */
export async function whileWriting<T>(url: string, use: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  let written = 0;
  const writing = withClient(url, async (client) => {
    await client.query(
      "create table if not exists here (n integer); create table if not exists there (n integer)",
    );
    for (; !ended.signal.aborted; written++) {
      await client.query(`with n as (insert into here values (${written}) returning n)
                          insert into there select n from n`);
      await pause(1);
    }
  });
  try {
    await until("a first row", async () => written > 0);
    return await use();
  } finally {
    ended.abort();
    await writing;
  }
}
